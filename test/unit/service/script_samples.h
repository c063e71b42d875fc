/* SPDX-License-Identifier: MIT
 *
 * script_samples.h - scripts as clients send them, byte for byte, each with its
 * SHA1. From the packages phpredis and python3-redis of Debian, and redlock
 * 5.0.0-beta.2, rate-limit-redis 4.2 and 6.0.1 and rate-limiter-flexible 11.4.0
 * of npm.
 */
#ifndef MEMOIZER_TEST_SCRIPT_SAMPLES_H
#define MEMOIZER_TEST_SCRIPT_SAMPLES_H

/* clang-format off */

#define PHPREDIS_RELEASE_SHA1 "b70c2384248f88e6b75b9f89241a180f856ad852"
#define PHPREDIS_RELEASE \
    "if redis.call(\"get\",KEYS[1]) == ARGV[1] then return " \
    "redis.call(\"del\",KEYS[1]) else return 0 end"

#define REDIS_PY_RELEASE_SHA1 "c3f8721cbb97f72bc19e972846bd7aaf91901658"
#define REDIS_PY_RELEASE \
    "\n" \
    "        local token = redis.call('get', KEYS[1])\n" \
    "        if not token or token ~= ARGV[1] then\n" \
    "            return 0\n" \
    "        end\n" \
    "        redis.call('del', KEYS[1])\n" \
    "        return 1\n" \
    "    "

#define REDIS_PY_EXTEND_SHA1 "a4e8783852e6b949f9ef3a97212805108459a890"
#define REDIS_PY_EXTEND \
    "\n" \
    "        local token = redis.call('get', KEYS[1])\n" \
    "        if not token or token ~= ARGV[1] then\n" \
    "            return 0\n" \
    "        end\n" \
    "        local expiration = redis.call('pttl', KEYS[1])\n" \
    "        if not expiration then\n" \
    "            expiration = 0\n" \
    "        end\n" \
    "        if expiration < 0 then\n" \
    "            return 0\n" \
    "        end\n" \
    "\n" \
    "        local newttl = ARGV[2]\n" \
    "        if ARGV[3] == \"0\" then\n" \
    "            newttl = ARGV[2] + expiration\n" \
    "        end\n" \
    "        redis.call('pexpire', KEYS[1], newttl)\n" \
    "        return 1\n" \
    "    "

#define REDIS_PY_REACQUIRE_SHA1 "1cac51482acf5858da00f6d685d68f886cd6b6b2"
#define REDIS_PY_REACQUIRE \
    "\n" \
    "        local token = redis.call('get', KEYS[1])\n" \
    "        if not token or token ~= ARGV[1] then\n" \
    "            return 0\n" \
    "        end\n" \
    "        redis.call('pexpire', KEYS[1], ARGV[2])\n" \
    "        return 1\n" \
    "    "

#define REDLOCK_ACQUIRE_SHA1 "96da70f7716f27d278a5218544df37fd8b0a5e4c"
#define REDLOCK_ACQUIRE \
    "\n" \
    "  -- Return 0 if an entry already exists.\n" \
    "  for i, key in ipairs(KEYS) do\n" \
    "    if redis.call(\"exists\", key) == 1 then\n" \
    "      return 0\n" \
    "    end\n" \
    "  end\n" \
    "\n" \
    "  -- Create an entry for each provided key.\n" \
    "  for i, key in ipairs(KEYS) do\n" \
    "    redis.call(\"set\", key, ARGV[1], \"PX\", ARGV[2])\n" \
    "  end\n" \
    "\n" \
    "  -- Return the number of entries added.\n" \
    "  return #KEYS\n"

#define REDLOCK_EXTEND_SHA1 "aed6f382e410db8ba7926d4e5e9aab410bf2a78a"
#define REDLOCK_EXTEND \
    "\n" \
    "  -- Return 0 if an entry exists with a *different* lock value.\n" \
    "  for i, key in ipairs(KEYS) do\n" \
    "    if redis.call(\"get\", key) ~= ARGV[1] then\n" \
    "      return 0\n" \
    "    end\n" \
    "  end\n" \
    "\n" \
    "  -- Update the entry for each provided key.\n" \
    "  for i, key in ipairs(KEYS) do\n" \
    "    redis.call(\"set\", key, ARGV[1], \"PX\", ARGV[2])\n" \
    "  end\n" \
    "\n" \
    "  -- Return the number of entries updated.\n" \
    "  return #KEYS\n"

#define REDLOCK_RELEASE_SHA1 "e4612211c9f8f51c257e26e056b0a654b3187242"
#define REDLOCK_RELEASE \
    "\n" \
    "  local count = 0\n" \
    "  for i, key in ipairs(KEYS) do\n" \
    "    -- Only remove entries for *this* lock value.\n" \
    "    if redis.call(\"get\", key) == ARGV[1] then\n" \
    "      redis.pcall(\"del\", key)\n" \
    "      count = count + 1\n" \
    "    end\n" \
    "  end\n" \
    "\n" \
    "  -- Return the number of entries removed.\n" \
    "  return count\n"

#define LIMIT_6_SHA1 "895b92e1712734e1b464999be23953485475357b"
#define LIMIT_6 \
    "local windowMs = tonumber(ARGV[1])\n" \
    "local timeToExpire = redis.call(\"PTTL\", KEYS[1])\n" \
    "if timeToExpire <= 0 then\n" \
    "redis.call(\"SET\", KEYS[1], 1, \"PX\", windowMs)\n" \
    "return { 1, windowMs }\n" \
    "end\n" \
    "local totalHits = redis.call(\"INCR\", KEYS[1])        \n" \
    "return { totalHits, timeToExpire }"

#define LIMIT_4_2_SHA1 "81dbecea94d2d10514719b20ed51faf711529d9d"
#define LIMIT_4_2 \
    "local windowMs = tonumber(ARGV[2])\n" \
    "local resetOnChange = ARGV[1] == \"1\"\n" \
    "local timeToExpire = redis.call(\"PTTL\", KEYS[1])\n" \
    "if timeToExpire <= 0 then\n" \
    "redis.call(\"SET\", KEYS[1], 1, \"PX\", windowMs)\n" \
    "return { 1, windowMs }\n" \
    "end\n" \
    "local totalHits = redis.call(\"INCR\", KEYS[1])\n" \
    "if resetOnChange then\n" \
    "redis.call(\"PEXPIRE\", KEYS[1], windowMs)\n" \
    "timeToExpire = windowMs\n" \
    "end\n" \
    "return { totalHits, timeToExpire }"

#define LIMIT_3_SHA1 "3f424a504987d231baa2e19159bb5def8ad32f87"
#define LIMIT_3 \
    "local totalHits = redis.call(\"INCR\", KEYS[1])\n" \
    "local timeToExpire = redis.call(\"PTTL\", KEYS[1])\n" \
    "if timeToExpire <= 0 or ARGV[1] == \"1\"\n" \
    "then\n" \
    "redis.call(\"PEXPIRE\", KEYS[1], tonumber(ARGV[2]))\n" \
    "timeToExpire = tonumber(ARGV[2])\n" \
    "end\n" \
    "return { totalHits, timeToExpire }"

#define LIMIT_GET_SHA1 "6aeb97ed6086dcdeafdc6fda3999a0d0e38ec96a"
#define LIMIT_GET \
    "local totalHits = redis.call(\"GET\", KEYS[1])\n" \
    "local timeToExpire = redis.call(\"PTTL\", KEYS[1])\n" \
    "return { totalHits, timeToExpire }"

#define FLEXIBLE_SHA1 "a1de965f42e177aa339706bd580f049065eca79a"
#define FLEXIBLE \
    "redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX') local consumed " \
    "= redis.call('incrby', KEYS[1], ARGV[1]) local ttl = " \
    "redis.call('pttl', KEYS[1]) if ttl == -1 then   " \
    "redis.call('expire', KEYS[1], ARGV[2])   ttl = 1000 * ARGV[2] end " \
    "return {consumed, ttl} "

/* clang-format on */

#endif
