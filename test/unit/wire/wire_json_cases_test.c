/* SPDX-License-Identifier: MIT
 *
 * wire_json_cases_test.c - faults that people met in other stores, as streams:
 * what the decoder has to say of each. B04, B08 and B16 are in the test of
 * framing, as they are large.
 */
#include "wire_json_rows.h"

#include "suite.h"

START_TEST(streams_of_public_reports)
{
    static const struct row rows[] = {
        /* B01, B02, B07 */
        {"{'s':'set','p':{'k':'b01','v':{'a':'\xc3\xa9','n':[1,2,3]}}}\n"
         "{'s':'get','p':{'k':'b01','v':null}}\n",
         "set k=b01 v={\"a\":\"\xc3\xa9\",\"n\":[1,2,3]} | get k=b01"},
        {"{'s':'size','p':{}}{'s':'size','p':{}}\n", "bad_json: *"},
        {"{'s':'set','p':{'k':'b07','v':1}}\r\nnot json\r\n"
         "{'s':'nope','p':{}}\r\n\r\n{'s':'get','p':{'k':'b07','v':null}}\r\n",
         "set k=b07 v=1 | bad_json: * | unknown_selector: * | get k=b07"},
        /* B05, B19 */
        {"{'s':'set'}\n{'s':'set','p':{'v':1}}\n{'s':'set','p':[]}\n"
         "{'s':'set','p':{'k':'b05'}}\n{'s':'set','p':{'k':5,'v':1}}\n"
         "{'s':'get','p':{'k':'b05','v':null,'x':{'s':'reset'}}}\n",
         "bad_request: *\"k\" | bad_request: *\"k\" | bad_request: *\"p\"* | "
         "bad_request: *\"v\" | bad_key: * | bad_request: *\"x\""},
        {"{'s':'get','s':'reset','p':{'k':'b19','v':null}}\n"
         "{'s':'set','p':{'k':'b19','k':'b19x','v':1}}\n",
         "bad_request: *\"s\" | bad_request: *\"k\""},
        /* B10, B11, B13 */
        {"{'s':'set','p':{'k':'b10','v':{'a':7.6,'b':1.1,'e':-0.3}}}\n"
         "{'s':'set','p':{'k':'b11','v':[9007199254740993,"
         "-9223372036854775808]}}\n"
         "{'s':'get','p':{'k':'b13\\u0000x','v':null}}\n",
         "set k=b10 v={\"a\":7.6,\"b\":1.1,\"e\":-0.3} | "
         "set k=b11 v=[9007199254740993,-9223372036854775808] | "
         "get k=b13\\x00x"},
        /* B14 */
        {"{'s':'set','p':{'k':'b14','v':'\\udc00'}}\n"
         "{'s':'set','p':{'k':'b14','v':'\\ud800\\u0041'}}\n"
         "{'s':'set','p':{'k':'b14','v':'\\ud83d\\ud83d\\ude00'}}\n"
         "{'s':'set','p':{'k':'b14','v':'\\ud83d\\ude00'}}\n",
         "bad_json: * | bad_json: * | bad_json: * | "
         "set k=b14 v=\"\\ud83d\\ude00\""},
        /* B22, B25, B26 */
        {"{'s':'touch','p':{'k':'b22','ttl':9223372036854775807}}\n"
         "{'s':'set','p':{'k':'b25','v':2,'ttl':-1}}\n"
         "{'s':'set','p':{'k':'b26','v':2,'ttl':null}}\n"
         "{'s':'touch','p':{'k':'b26','ttl':null}}\n",
         "bad_ttl: * | bad_ttl: * | bad_ttl: * | touch k=b26"},
        /* B40, B68 */
        {"{'s':'select','p':{'db':9223372036854775808}}\n"
         "{'s':'select','p':{'db':1e300}}\n"
         "{'s':'set','p':{'k':'b68','v':2,'if':4294967297}}\n"
         "{'s':'set','p':{'k':'b68','v':2,'if':18446744073709551616}}\n",
         "bad_request: * | bad_request: * | set k=b68 v=2 version=4294967297 "
         "| bad_request: *"},
        /* B53, B56 */
        {"{'s':'x\\r\\ny\\n{\\'a\\':1}','p':{}}\n{'s':'get','p':'a\\nb'}\n"
         "{'s':'size','p':{}}\nPOST / HTTP/1.1\r\n\r\n{'s':'reset'}\n",
         "unknown_selector: * | bad_request: * | size | CLOSE"},
        /* B62 */
        {"{'s':'get','p':{'k':'b62\\u00e9'}}\n{'s':'get','p':{'k':'b62\xc3\xa9"
         "'}}\n{'s':'get','p':{'k':'b62\xe9'}}\n",
         "get k=b62\\xc3\\xa9 | get k=b62\\xc3\\xa9 | bad_json: *"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        rows_check_stream(&rows[i], 1024, false);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, streams_of_public_reports);
}

TEST_MAIN("wire_json_cases", fill)
