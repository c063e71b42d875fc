# SPDX-License-Identifier: MIT
#
# Shop - a Catalyst application that has its sessions in memoizer.
package Shop;
use Moose;
use namespace::autoclean;
# The store logs each key at "debug", which Catalyst prints by default.
use Catalyst '-Log=warn,error,fatal',
    qw/Session Session::Store::Redis Session::State::Cookie/;
extends 'Catalyst';

__PACKAGE__->config(
    'Plugin::Session' => {
        expires => 1800,
        redis_server => $ENV{SHOP_REDIS},
        redis_db => 1,
        redis_reconnect => 1,
    },
);
__PACKAGE__->setup;

1;
