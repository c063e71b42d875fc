// SPDX-License-Identifier: MIT
//
// One worker of a web application: express-session keeps its sessions by
// connect-redis 9. It tells its parent the port that the kernel has picked.
import express from 'express';
import session from 'express-session';
import { RedisStore } from 'connect-redis';
import { createClient } from 'redis';

const client = createClient({
    url: `redis://127.0.0.1:${process.env.MEMOIZER_PORT}`,
});
client.on('error', (e) => { throw e; });
await client.connect();

const app = express();
app.use(session({
    store: new RedisStore({ client, prefix: 'sess:' }),
    secret: 'not a secret',
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: 1800 * 1000 },
}));
app.get('/add', (req, res) => {
    req.session.n = (req.session.n ?? 0) + 1;
    res.send(`${req.session.n}`);
});
app.get('/show', (req, res) => {
    res.send(`${req.session.n}`);
});
app.get('/logout', (req, res, next) => {
    req.session.destroy((e) => (e ? next(e) : res.send('bye')));
});
const server = app.listen(0, '127.0.0.1', () => {
    process.send(server.address().port);
});
