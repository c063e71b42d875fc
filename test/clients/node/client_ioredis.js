// SPDX-License-Identifier: MIT
//
// ioredis 6: it opens with HELLO 3 and INFO, and comes back by itself when its
// connection is cut.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Redis } from 'ioredis';

const port = Number(process.env.MEMOIZER_PORT);
const options = { host: '127.0.0.1', port, connectionName: 'web', db: 1 };
const c = new Redis(options);
const errors = [];
c.on('error', (e) => errors.push(e));
await once(c, 'ready');

assert.equal(await c.set('a', '{"user":7}', 'EX', 1800), 'OK');
assert.equal(await c.get('a'), '{"user":7}');
assert.equal(await c.ttl('a'), 1800);
assert.equal(await c.set('a', 'x', 'NX'), null);
const binary = Buffer.from([0, 13, 10, 255]);
await c.set('b', binary);
assert.deepEqual(await c.getBuffer('b'), binary);
assert.deepEqual(await c.mget('a', 'nosuch'), ['{"user":7}', null]);
await assert.rejects(c.incr('a'), /not an integer/);
await assert.rejects(c.call('NOSUCH'), /unknown command/);

const pipeline = c.pipeline();
for (let i = 0; i < 1000; i++) {
    pipeline.set(`s:${i}`, i);
}
assert.ok((await pipeline.exec()).every(([e, r]) => !e && r === 'OK'));
const names = new Set();
for await (const page of c.scanStream({ match: 's:*', count: 100 })) {
    for (const name of page) {
        names.add(name);
    }
}
assert.equal(names.size, 1000);
assert.equal(await c.unlink(...names), 1000);
assert.deepEqual(await c.multi().set('t', 1).incr('t').exec(),
    [[null, 'OK'], [null, 2]]);
assert.equal(await c.client('GETNAME'), 'web');

const listener = new Redis(options);
await listener.psubscribe('n*');
const message = once(listener, 'pmessage');
assert.equal(await c.publish('news', 'hello'), 1);
assert.deepEqual(await message, ['n*', 'news', 'hello']);

// Cut, it reconnects into its database and under its name.
const again = once(c, 'ready');
const other = new Redis(options);
assert.equal(await other.client('KILL', 'ID', await c.client('ID')), 1);
await again;
assert.equal(await c.get('t'), '2');
assert.equal(await c.client('GETNAME'), 'web');
for (const client of [c, listener, other]) {
    client.disconnect();
}
console.log('ioredis: well', errors.map((e) => e.message));
