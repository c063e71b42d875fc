// SPDX-License-Identifier: MIT
//
// connect-redis 9: each call of a session store, then express-session with two
// worker processes that share the sessions.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import session from 'express-session';
import { RedisStore } from 'connect-redis';
import { createClient } from 'redis';

const client = createClient({
    url: `redis://127.0.0.1:${process.env.MEMOIZER_PORT}`,
});
await client.connect();

function called(store) {
    return Object.fromEntries(
        ['get', 'set', 'touch', 'destroy', 'clear', 'length', 'ids', 'all']
            .map((name) => [name, promisify(store[name]).bind(store)]));
}

async function storeCalls() {
    const redisStore = new RedisStore({ client, prefix: 'unit:', ttl: 600 });
    const store = called(redisStore);
    const expires = new Date(Date.now() + 1800_000).toJSON();
    const data = { cookie: { originalMaxAge: 1800_000, expires }, user: 7 };

    await store.clear();
    assert.equal(await store.get('nosuch') ?? null, null);
    await store.set('a', data);
    assert.deepEqual(await store.get('a'), data);
    assert.ok([1799, 1800].includes(await client.ttl('unit:a')));
    await store.touch('a', { cookie: {
        expires: new Date(Date.now() + 60_000) } });
    assert.ok([59, 60].includes(await client.ttl('unit:a')));
    await store.set('b', { cookie: {}, user: 8 });
    assert.equal(await client.ttl('unit:b'), 600);
    assert.equal(await store.length(), 2);
    assert.deepEqual((await store.ids()).sort(), ['a', 'b']);
    assert.deepEqual((await store.all()).map((s) => [s.id, s.user]).sort(),
        [['a', 7], ['b', 8]]);
    await store.destroy('a');
    assert.equal(await store.length(), 1);
    // An expiry in the past ends the session.
    await store.set('b', { cookie: { expires: new Date(0) } });
    assert.equal(await store.length(), 0);
    for (let i = 0; i < 3000; i++) {
        store.set(`many${i}`, { cookie: {}, i });
    }
    await store.set('last', { cookie: {} });
    assert.equal(await store.length(), 3001);
    assert.equal((await store.all()).length, 3001);
    await client.set('other:key', 'stays');
    await store.clear();
    assert.equal(await store.length(), 0);
    assert.equal(await client.get('other:key'), 'stays');
    assert.ok(redisStore instanceof session.Store);
}

async function worker() {
    const child = fork(new URL('web.js', import.meta.url));
    const [port] = await once(child, 'message');
    return { child, base: `http://127.0.0.1:${port}` };
}

async function visit(url, cookie) {
    const answer = await fetch(url, cookie ? { headers: { cookie } } : {});
    return {
        body: await answer.text(),
        cookie: answer.headers.get('set-cookie')?.split(';')[0],
    };
}

async function twoWorkers() {
    const [one, two] = await Promise.all([worker(), worker()]);
    const first = await visit(`${one.base}/add`);
    assert.equal(first.body, '1');
    const { cookie } = first;
    for (let n = 2; n <= 11; n++) {
        const at = n % 2 ? one : two;
        assert.equal((await visit(`${at.base}/add`, cookie)).body, `${n}`);
    }
    assert.equal((await visit(`${two.base}/show`, cookie)).body, '11');
    assert.equal((await visit(`${two.base}/add`)).body, '1');
    assert.equal((await visit(`${one.base}/logout`, cookie)).body, 'bye');
    assert.equal((await visit(`${two.base}/show`, cookie)).body, 'undefined');
    for (const { child } of [one, two]) {
        child.kill();
        await once(child, 'exit');
    }
}

await storeCalls();
await twoWorkers();
await client.close();
console.log('connect-redis and express-session: well');
