# SPDX-License-Identifier: MIT
#
# serve.pl - one process of the application Shop, over HTTP on a port of the
# loopback that the kernel picks; says where when it listens. SHOP_REDIS is the
# address of its session store. plackup would not say which port it got.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use HTTP::Server::PSGI;
use IO::Socket::INET;
use Shop;

my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 0,
    Proto => 'tcp', Listen => 16) or die "listen: $!";
STDOUT->autoflush(1);
print 'http://127.0.0.1:', $listener->sockport, "\n";
HTTP::Server::PSGI->new(listen_sock => $listener)->run(Shop->psgi_app);
