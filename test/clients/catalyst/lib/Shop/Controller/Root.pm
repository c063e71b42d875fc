# SPDX-License-Identifier: MIT
#
# The pages of Shop: /login?user=NAME, /whoami, /counter, /logout; POST /keep
# takes bytes, /bytes and /text give them back, as they came and as characters.
package Shop::Controller::Root;
use Moose;
use namespace::autoclean;
use Encode ();
BEGIN { extends 'Catalyst::Controller' }

__PACKAGE__->config(namespace => '');

sub answer {
    my ($c, $body, $type) = @_;
    $c->res->content_type($type // 'text/plain; charset=utf-8');
    $c->res->body($body);
    return;
}

sub login : Local Args(0) {
    my ($self, $c) = @_;
    $c->change_session_id;
    $c->session->{user} = $c->req->params->{user};
    return answer($c, 'welcome');
}

sub whoami : Local Args(0) {
    my ($self, $c) = @_;
    # session() would begin a session for whoever has none.
    my $user = $c->session_is_valid ? $c->session->{user} : undef;
    return answer($c, $user // 'nobody');
}

sub counter : Local Args(0) {
    my ($self, $c) = @_;
    return answer($c, ++$c->session->{count});
}

sub keep : Local Args(0) {
    my ($self, $c) = @_;
    my $body = $c->req->body;
    my $bytes = do { local $/; <$body> };
    $c->session->{bytes} = $bytes;
    $c->session->{text} = Encode::decode('UTF-8', $bytes);
    return answer($c, length $bytes);
}

sub bytes : Local Args(0) {
    my ($self, $c) = @_;
    return answer($c, $c->session->{bytes}, 'application/octet-stream');
}

sub text : Local Args(0) {
    my ($self, $c) = @_;
    return answer($c, $c->session->{text});
}

sub logout : Local Args(0) {
    my ($self, $c) = @_;
    $c->delete_session('logout');
    return answer($c, 'bye');
}

sub default : Private {
    my ($self, $c) = @_;
    $c->res->status(404);
    return answer($c, 'no such page');
}

__PACKAGE__->meta->make_immutable;

1;
