<?php
// SPDX-License-Identifier: MIT
//
// A page with a session: /add counts up, and takes a while in between when told
// to, so that two requests of one visitor meet; /show, /logout.
session_start();
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/add') {
    $n = $_SESSION['n'] ?? 0;
    // Whoever holds the session says so, and goes on when it may.
    if (isset($_GET['gate'])) {
        touch($_GET['gate'] . '.inside');
        while (!file_exists($_GET['gate'])) {
            usleep(1000);
            clearstatcache();
        }
    }
    $_SESSION['n'] = $n + 1;
    $_SESSION['binary'] = "\0\r\n\xff";
    echo $n + 1;
} elseif ($path === '/logout') {
    session_destroy();
    echo 'bye';
} else {
    echo json_encode([
        'n' => $_SESSION['n'] ?? null,
        'binary' => isset($_SESSION['binary'])
            ? bin2hex($_SESSION['binary']) : null,
    ]);
}
