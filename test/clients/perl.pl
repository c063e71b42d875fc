# SPDX-License-Identifier: MIT
#
# perl.pl MODULE - Redis.pm and Redis::Fast, which share their interface.
use strict;
use warnings;
use Test::More;

my $module = shift or die "perl.pl MODULE";
eval "require $module" or die $@;
my $server = "127.0.0.1:$ENV{MEMOIZER_PORT}";

sub connected {
    return $module->new(server => $server, reconnect => 5, name => 'worker',
        cnx_timeout => 10, read_timeout => 10, write_timeout => 10);
}
my $r = connected();

ok $r->ping, 'ping';
is $r->client_getname, 'worker', 'name';
is $r->set('session:a', "\x{00}\r\nbinary\x{ff}"), 'OK', 'set';
is $r->get('session:a'), "\x{00}\r\nbinary\x{ff}", 'get';
is $r->get('nosuch'), undef, 'missing';
is $r->setex('b', 100, 'v'), 'OK', 'setex';
is $r->ttl('b'), 100, 'ttl';
is $r->expire('b', 60), 1, 'expire';
is $r->set('b', 'w', 'NX'), undef, 'set nx';
is $r->incr('n'), 1, 'incr';
is $r->incrby('n', 41), 42, 'incrby';
is_deeply [$r->mget('b', 'nosuch', 'n')], ['v', undef, 42], 'mget';
is_deeply [sort $r->keys('*')], ['b', 'n', 'session:a'], 'keys';
is $r->exists('b'), 1, 'exists';
is $r->del('b', 'nosuch'), 1, 'del';
ok !eval { $r->incr('session:a'); 1 }, 'an error dies';
like $@, qr/value is not an integer or out of range/, 'its text';
ok !eval { $r->nosuch; 1 }, 'what is not served dies';
like $@, qr/unknown command/i, 'its text';
is $r->get('n'), 42, 'the connection goes on';

# Commands that are sent before a reply is read.
my @replies;
for my $i (1 .. 200) {
    $r->set("p:$i", $i, sub { push @replies, $_[0] });
}
$r->wait_all_responses;
is scalar(grep { $_ eq 'OK' } @replies), 200, 'pipelined';

my ($cursor, %seen) = (0);
do {
    ($cursor, my $names) = $r->scan($cursor, 'MATCH', 'p:*', 'COUNT', 50);
    $seen{$_} = 1 for @$names;
} while $cursor;
is scalar(keys %seen), 200, 'scan';

$r->multi;
$r->set('t', 1);
$r->incr('t');
is_deeply [$r->exec], ['OK', 2], 'exec';
$r->watch('t');
connected()->set('t', 5);
$r->multi;
$r->incr('t');
is_deeply [grep { defined } $r->exec], [], 'exec after a foreign write';
is $r->get('t'), 5, 'changed nothing';

is $r->info->{redis_version}, '7.2.4', 'info';
is_deeply {$r->config('get', 'databases')}, {databases => 16}, 'config get';
is $r->select(1), 'OK', 'select';
is $r->dbsize, 0, 'dbsize';
is $r->flushdb, 'OK', 'flushdb';

my (@heard, $listener);
$listener = connected();
$listener->subscribe('news', sub { push @heard, [@_[0, 1]] });
is $r->publish('news', 'hello'), 1, 'publish';
$listener->wait_for_messages(0.1) until @heard;
is_deeply $heard[0], ['hello', 'news'], 'heard';
ok $r->quit, 'quit';

# Reconnects after the server has closed.
my $again = connected();
my $id = $again->client_id;
is connected()->client_kill('ID', $id), 1, 'killed';
is $again->get('session:a'), "\x{00}\r\nbinary\x{ff}", 'reconnected';
done_testing;
