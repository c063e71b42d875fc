# SPDX-License-Identifier: MIT
#
# redis-rb, redis-store and redis-rack, on which the session stores of Rack and
# Rails stand.
require "redis"
require "redis-store"

PORT = Integer(ENV.fetch("MEMOIZER_PORT"))
$checks = 0

def same(wanted, got, what)
  $checks += 1
  return if wanted == got
  abort "FAILED #{what}: wanted #{wanted.inspect}, got #{got.inspect}"
end

def wants_error(text)
  yield
  abort "FAILED no error: #{text}"
rescue Redis::CommandError => e
  same true, e.message.include?(text), e.message
end

def connect(**more)
  Redis.new(host: "127.0.0.1", port: PORT, timeout: 10, **more)
end

r = connect(id: "web")
binary = "a\r\n\0\xff".b
same "PONG", r.ping, "ping"
same "OK", r.set("a", binary), "set"
same binary, r.get("a").b, "get"
same nil, r.get("nosuch"), "missing"
same true, r.set("b", 1, ex: 100, nx: true), "set nx"
same false, r.set("b", 2, nx: true), "set nx again"
same 100, r.ttl("b"), "ttl"
same true, r.expire("b", 50), "expire"
same true, r.persist("b"), "persist"
same ["1", nil], r.mget("b", "nosuch"), "mget"
same({ "b" => "1" }, r.mapped_mget("b"), "mapped_mget")
same 2, r.incr("b"), "incr"
same 2.5, r.incrbyfloat("b", 0.5), "incrbyfloat"
same true, r.exists?("b"), "exists?"
same "2.5", r.getdel("b"), "getdel"
wants_error("value is not an integer") { r.incr("a") }
wants_error("unknown command") { r.call("NOSUCH") }
200.times { |i| r.set("s:#{i}", i) }
same 200, r.scan_each(match: "s:*", count: 30).to_a.uniq.size, "scan_each"
same 200, r.keys("s:*").size, "keys"
same %w[OK 1], r.pipelined { |p| p.set("p", 1); p.get("p") }, "pipelined"
same ["OK", 2], r.multi { |t| t.set("t", 1); t.incr("t") }, "multi"
got = r.watch("t") do
  connect.set("t", 9)
  r.multi { |t| t.incr("t") }
end
same nil, got, "multi after a foreign write"
same "7.2.4", r.info("server")["redis_version"], "info"
same({ "databases" => "16" }, r.config(:get, "databases"), "config get")
same "OK", r.select(2), "select"
same 0, r.dbsize, "dbsize"

heard = Queue.new
listening = Queue.new
listener = Thread.new do
  connect.subscribe("news") do |on|
    on.subscribe { |channel, _| listening << channel }
    on.message do |channel, text|
      heard << [channel, text]
      raise StopIteration
    end
  end
rescue StopIteration
  nil
end
same "news", listening.pop, "subscribe"
same 1, r.publish("news", "hello"), "publish"
same %w[news hello], heard.pop, "message"
listener.join

# redis-store: marshalled values with a life, as Rack and Rails keep sessions.
store = Redis::Store::Factory.create("redis://127.0.0.1:#{PORT}/1/sessions")
session = { "user" => 7, "cart" => [1, 2, nil, :three] }
store.set("sid", session, expire_after: 1800)
same session, store.get("sid"), "redis-store: get"
same 1800, store.ttl("sid"), "redis-store: ttl"
same 0, store.setnx("sid", {}) ? 1 : 0, "redis-store: setnx"
store.setex("sid", 60, {})
same({}, store.get("sid"), "redis-store: setex")
same 1, store.del("sid"), "redis-store: del"
same nil, store.get("sid"), "redis-store: gone"

begin
  require "rack"
  require "rack/session/redis"
rescue LoadError => e
  puts "SKIPPED: redis-rack: #{e.message}"
else
  counter = lambda do |env|
    session = env["rack.session"]
    session["n"] = session["n"].to_i + 1
    env["rack.session.options"][:drop] = true if env["PATH_INFO"] == "/logout"
    [200, {}, [session["n"].to_s]]
  end
  app = Rack::Session::Redis.new(
    counter, redis_server: "redis://127.0.0.1:#{PORT}/1/rack:session",
             expire_after: 600
  )
  web = Rack::MockRequest.new(app)
  first = web.get("/")
  cookie = first["Set-Cookie"][/rack.session=[^;]+/]
  same "1", first.body, "redis-rack: first visit"
  same "2", web.get("/", "HTTP_COOKIE" => cookie).body, "redis-rack: second"
  same "3", web.get("/", "HTTP_COOKIE" => cookie).body, "redis-rack: third"
  same "1", web.get("/").body, "redis-rack: somebody else"
  same "4", web.get("/logout", "HTTP_COOKIE" => cookie).body,
       "redis-rack: logout"
  same "1", web.get("/", "HTTP_COOKIE" => cookie).body, "redis-rack: after it"
end
puts "redis-rb #{Redis::VERSION}, redis-store #{Redis::Store::VERSION}: " \
     "#{$checks} checks"
