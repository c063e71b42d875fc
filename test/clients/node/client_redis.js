// SPDX-License-Identifier: MIT
//
// node-redis 6: it opens in RESP3 and has no way back.
import assert from 'node:assert/strict';
import { createClient } from 'redis';

const url = `redis://127.0.0.1:${process.env.MEMOIZER_PORT}`;
const errors = [];

async function connected(more) {
    const client = createClient({ url, name: 'web', ...more });
    client.on('error', (e) => errors.push(e));
    return client.connect();
}

async function values(c) {
    assert.equal(await c.ping(), 'PONG');
    assert.equal(await c.set('a', '{"user":7}', { EX: 1800 }), 'OK');
    assert.equal(await c.get('a'), '{"user":7}');
    assert.equal(await c.get('nosuch'), null);
    assert.equal(await c.ttl('a'), 1800);
    assert.equal(await c.expire('a', 60), 1);
    assert.equal(await c.set('a', 'x', { NX: true }), null);
    assert.equal(await c.getEx('a', { type: 'PERSIST' }), '{"user":7}');
    assert.equal(await c.setEx('b', 10, 'v'), 'OK');
    assert.equal(await c.getDel('b'), 'v');
    assert.equal(await c.incr('n'), 1);
    assert.equal(await c.incrBy('n', 41), 42);
    assert.equal(await c.incrByFloat('f', 0.5), '0.5');
    await c.mSet({ m1: '1', m2: '2' });
    assert.deepEqual(await c.mGet(['m1', 'no', 'm2']), ['1', null, '2']);
    assert.equal(await c.exists(['m1', 'm2', 'no']), 2);
    assert.equal(await c.del(['m1', 'm2', 'no']), 2);
    await assert.rejects(c.incr('a'), /not an integer/);
    await assert.rejects(c.sendCommand(['NOSUCH']), /unknown command/);
}

async function wholeDatabases(c) {
    await Promise.all(
        Array.from({ length: 500 }, (_, i) => c.set(`s:${i}`, `${i}`)));
    const names = new Set();
    for await (const page of c.scanIterator({ MATCH: 's:*', COUNT: 50 })) {
        for (const name of page) {
            names.add(name);
        }
    }
    assert.equal(names.size, 500);
    assert.equal((await c.keys('s:1?')).length, 10);
    assert.match(await c.info('server'), /redis_version:7[.][0-9]/);
    assert.equal((await c.configGet('databases')).databases, '16');
    assert.equal(await c.clientGetName(), 'web');
    assert.ok((await c.clientId()) > 0);
    assert.ok(await c.dbSize() > 500);
}

async function transactions(c, database) {
    assert.deepEqual(
        await c.multi().set('t', '1').incr('t').get('t').exec(),
        ['OK', 2, '2']);
    const other = await connected({ database });
    await c.watch('t');
    await other.set('t', '9');
    await assert.rejects(c.multi().incr('t').exec(), /watched/i);
    assert.equal(await c.get('t'), '9');
    await other.close();
}

async function channels(c, database) {
    const listener = await connected({ database });
    let heard;
    const message = new Promise((resolve) => { heard = resolve; });
    await listener.subscribe('news', (text, name) => heard([name, text]));
    assert.equal(await c.publish('news', 'hello'), 1);
    assert.deepEqual(await message, ['news', 'hello']);
    // In RESP3 a subscriber may ask as well.
    assert.equal(await listener.get('n'), '42');
    await listener.unsubscribe('news');
    await listener.close();
}

for (const RESP of [3, 2]) {
    const c = await connected({ RESP, database: RESP });
    await values(c);
    await wholeDatabases(c);
    await transactions(c, RESP);
    if (RESP === 3) {
        await channels(c, RESP);
    }
    await c.close();
}
assert.deepEqual(errors, []);
console.log('node-redis: well, in RESP3 and RESP2');
