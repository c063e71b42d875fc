/* SPDX-License-Identifier: MIT
 *
 * wire_json_request_test.c - single request lines: what they ask for, and how
 * they are refused.
 */
#include "wire_json_rows.h"

#include "suite.h"

#include <stdio.h>

START_TEST(commands)
{
    static const struct row rows[] = {
        {"{'s':'get','p':{'k':'a'}}", "get k=a"},
        {"{'s':'get','p':{'k':'a','v':null}}", "get k=a"},
        {"{'s':'get','p':{'v':[{'x':1}],'k':'a'}}", "get k=a"},
        {"{'s':'get','p':{'k':'a','touch':1.5}}", "get k=a touch=1500"},
        {"{'s':'set','p':{'k':'a','v':1}}", "set k=a v=1"},
        {"{'s':'set','p':{'k':'a','v':null,'ttl':0.0001}}",
         "set k=a v=null ttl=1"},
        {"{'s':'set','p':{'k':'a','v':1,'ttl':315360000000}}",
         "set k=a v=1 ttl=315360000000000"},
        {"{'s':'set','p':{'k':'a','v':1,'keep_ttl':true}}",
         "set k=a v=1 ttl=keep"},
        {"{'s':'set','p':{'k':'a','v':1,'keep_ttl':false}}", "set k=a v=1"},
        {"{'s':'set','p':{'k':'a','v':1,'keep_ttl':false,'ttl':2}}",
         "set k=a v=1 ttl=2000"},
        {"{'s':'set','p':{'k':'a','v':1,'if':'absent'}}", "set k=a v=1 absent"},
        {"{'s':'set','p':{'k':'a','v':1,'if':'\\u0070resent'}}",
         "set k=a v=1 present"},
        {"{'s':'set','p':{'k':'a','v':1,'if':18446744073709551615}}",
         "set k=a v=1 version=18446744073709551615"},
        {"{'s':'del','p':{'k':'a','if':1}}", "del k=a version=1"},
        {"{'s':'del','p':{'k':'a'}}", "del k=a"},
        {"{'s':'has','p':{'k':'a'}}", "has k=a"},
        {"{'s':'touch','p':{'k':'a','ttl':1e1}}", "touch k=a ttl=10000"},
        {"{'s':'touch','p':{'k':'a','ttl':null}}", "touch k=a"},
        {"{'s':'merge','p':{'k':'a','v':{}}}", "merge k=a v={} ttl=keep"},
        {"{'s':'merge','p':{'k':'a','v':1,'ttl':2}}", "merge k=a v=1 ttl=2000"},
        {"{'s':'incr','p':{'k':'a','by':-3,'ttl':2}}", "incr k=a ttl=2000"},
        {"{'s':'ttl','p':{'k':'a'}}", "ttl k=a"},
        {"{'s':'size'}", "size"},
        {"{'s':'size','p':{}}", "size"},
        {"{'s':'size','p':{'k':5,'v':[]}}", "size"},
        {"{'s':'reset','p':{}}", "reset"},
        {"{'s':'select','p':{'db':0}}", "select db=0"},
        {"{'s':'select','p':{'db':-0}}", "select db=0"},
        {"{'s':'select','p':{'db':15}}", "select db=15"},
        {"{'s':'ping'}", "ping"},
        {"{'s':'stats'}", "stats"},
        {"{'s':'hello'}", "hello"},
        {"{'s':'quit'}", "quit"},
    };

    ROWS_CHECK_LINES(rows);
}
END_TEST

START_TEST(members_come_in_any_order_and_with_blanks)
{
    static const struct row rows[] = {
        {"{'p':{'k':'a'},'s':'get','i':1}", "get k=a i=1"},
        {"{'i':1,'p':{'v':1,'k':'a'},'s':'set'}", "set k=a v=1 i=1"},
        {"{ 's' : 'get' ,\t'p'\r: { 'k' : 'a' } } \r", "get k=a"},
        {" \t\r{'s':'size','p':{ }}\t", "size"},
        {"{\t's':\r'set','p':{'k':\t'a','v':\r5\t}}", "set k=a v=5"},
    };

    ROWS_CHECK_LINES(rows);
}
END_TEST

START_TEST(ids_are_echoed_as_sent)
{
    static const struct row rows[] = {
        {"{'s':'ping','i':0}", "ping i=0"},
        {"{'s':'ping','i':-123456789012345678901234567890}",
         "ping i=-123456789012345678901234567890"},
        {"{'s':'ping','i':''}", "ping i=\"\""},
        {"{'s':'ping','i':'a\\n\\u00e9 x'}", "ping i=\"a\\n\\u00e9 x\""},
        {"{'s':'ping','i':'\xc3\xa9'}", "ping i=\"\xc3\xa9\""},
        {"{'s':'nope','i': 7 }", "i=7 unknown_selector: *"},
        {"{'i':7,'s':'get','p':{", "i=7 bad_json: *"},
        {"{'i':7", "i=7 bad_json: *"},
        {"{'i':'x'", "i=\"x\" bad_json: *"},
        {"{'i':'x", "bad_json: *"},
        {"{'i':7,'s':'ping'} x", "i=7 bad_json: *"},
        {"{'s':'get','p':{,'i':7}", "bad_json: *"},
        {"{'i':7,'i':7,'s':'ping'}", "bad_request: doubled member \"i\""},
        {"{'i':7,'s':'ping','i':7,'i':7}", "bad_request: doubled member \"i\""},
        {"{'i':7,'i':7,'s':}", "bad_json: *"},
        {"{'i':[7],'s':'ping'}", "bad_request: *\"i\"*"},
        {"{'i':[7],'s':}", "bad_json: *"},
        {"{'i':null,'s':'ping'}", "bad_request: *\"i\"*"},
        {"{'i':1.0,'s':'ping'}", "bad_request: *\"i\"*"},
        {"{'i':1e3,'s':'ping'}", "bad_request: *\"i\"*"},
        {"{'i':1E3,'s':'nope'}", "bad_request: *\"i\"*"},
    };

    ROWS_CHECK_LINES(rows);
}
END_TEST

START_TEST(keys_are_decoded_bytes)
{
    static const struct row rows[] = {
        {"{'s':'get','p':{'k':''}}", "get k="},
        {"{'s':'get','p':{'k':'a\\u0000b'}}", "get k=a\\x00b"},
        {"{'s':'get','p':{'k':'\\u0000'}}", "get k=\\x00"},
        {"{'s':'get','p':{'k':'\\u00e9\\/\\u0022\\ud83d\\ude00'}}",
         "get k=\\xc3\\xa9/\\x22\\xf0\\x9f\\x98\\x80"},
        {"{'s':'get','p':{'k':'\xc3\xa9'}}", "get k=\\xc3\\xa9"},
        {"{'s':'get','p':{'k':'\\b\\f\\n\\r\\t\\\\'}}",
         "get k=\\x08\\x0c\\x0a\\x0d\\x09\\x5c"},
        {"{'s':'get','p':{'k':5}}", "bad_key: *"},
        {"{'s':'get','p':{'k':null}}", "bad_key: *"},
        {"{'s':'get','p':{'k':true}}", "bad_key: *"},
        {"{'s':'get','p':{'k':['a']}}", "bad_key: *"},
        {"{'s':'get','p':{'k':{'a':1}}}", "bad_key: *"},
        {"{'s':'del','p':{'k':5}}", "bad_key: *"},
    };

    ROWS_CHECK_LINES(rows);
}
END_TEST

START_TEST(many_keys_are_packed)
{
    static const struct row rows[] = {
        {"{'s':'del','p':{'k':[]}}", "del keys=0"},
        {"{'s':'del','p':{'k':[ ]}}", "del keys=0"},
        {"{'s':'del','p':{'k':['a']}}", "del keys=1 k=a"},
        {"{'s':'del','p':{'k':['','b' , '\\u00e9c','','ddd' ]},'i':1}",
         "del keys=5 k= k=b k=\\xc3\\xa9c k= k=ddd i=1"},
        {"{'i':1,'s':'del','p':{'k':['\\u0000','\\\\']}}",
         "del keys=2 k=\\x00 k=\\x5c i=1"},
        {"{'s':'del','p':{'k':['a',5]}}", "bad_key: *"},
        {"{'s':'del','p':{'k':[['a']]}}", "bad_key: *"},
        {"{'s':'del','p':{'k':[null,'a']}}", "bad_key: *"},
        {"{'s':'del','p':{'k':['a',]}}", "bad_json: *"},
        {"{'s':'del','p':{'k':['a'],'if':'present'}}", "bad_request: *\"if\"*"},
        {"{'s':'del','p':{'k':['a'],'if':0}}", "bad_request: *\"if\"*"},
        {"{'s':'mget','p':{'k':[]}}", "mget keys=0"},
        {"{'s':'mget','p':{'k':['a','','a']}}", "mget keys=3 k=a k= k=a"},
        {"{'s':'mget','p':{'k':'a'}}", "bad_request: \"k\" is not an array*"},
        {"{'s':'mget','p':{'k':['a',5]}}", "bad_key: *"},
        {"{'s':'get','p':{'k':['a']}}", "bad_key: *"},
    };

    ROWS_CHECK_LINES(rows);
}
END_TEST

START_TEST(values_stay_as_sent)
{
    static const struct row rows[] = {
        {"{'s':'set','p':{'k':'a','v': [1.10, 2] }}", "set k=a v=[1.10, 2]"},
        {"{'s':'set','p':{'k':'a','v':45232446983204764922041}}",
         "set k=a v=45232446983204764922041"},
        {"{'s':'set','p':{'k':'a','v':{'r':['_admin'],'r':[]}}}",
         "set k=a v={\"r\":[\"_admin\"],\"r\":[]}"},
        {"{'s':'set','p':{'k':'a','v':'a\\u0000b\\ud83d\\ude00'}}",
         "set k=a v=\"a\\u0000b\\ud83d\\ude00\""},
        {"{'s':'set','p':{'k':'a','v':{'a':\t1,\r'b':[\t2]}}}",
         "set k=a v={\"a\": 1, \"b\":[ 2]}"},
        {"{'s':'set','p':{'k':'a','v':-0}}", "set k=a v=-0"},
        {"{'s':'set','p':{'k':'a','v':1E400}}", "set k=a v=1E400"},
    };

    ROWS_CHECK_LINES(rows);
}
END_TEST

START_TEST(names_may_be_escaped)
{
    static const struct row rows[] = {
        {"{'\\u0073':'\\u0067et','\\u0070':{'\\u006b':'a'},'\\u0069':1}",
         "get k=a i=1"},
        {"{'s':'set','p':{'k':'a','v':1,'\\u0076':2}}",
         "bad_request: doubled parameter \"v\""},
        {"{'s':'ping','\\n\\u2028\\u0000':1}",
         "bad_request: unknown member \"\\x0a\\xe2\\x80\\xa8\\x00\""},
    };

    ROWS_CHECK_LINES(rows);
}
END_TEST

START_TEST(malformed_json_is_told_with_its_place)
{
    static const struct row rows[] = {
        {"not json", "bad_json: expected null at byte 2"},
        {"{'s':'size'}{'s':'size'}",
         "bad_json: expected the end of the line at byte 13"},
        {"  {'s':'size'} x",
         "bad_json: expected the end of the line at byte 16"},
        {"{'s':'size'},", "bad_json: expected the end of the line at byte 13"},
        {"{'s' 'size'}", "bad_json: expected ':' at byte 6"},
        {"{'s'", "bad_json: expected ':' at byte 5, the end of the line"},
        {"{'s':", "bad_json: expected a value at byte 6, the end of the line"},
        {"{'s':'size' 'p':{}}", "bad_json: expected ',' or '}' at byte 13"},
        {"{'s':'size',}", "bad_json: expected a string at byte 13"},
        {"{s:1}", "bad_json: expected a string or '}' at byte 2"},
        {"{", "bad_json: expected a string or '}' at byte 2, the end of *"},
        {"{'s':'ping','p':{'k'}}", "bad_json: expected ':' at byte 21"},
        {"{'s':'ping','p':{'k':1;}}", "bad_json: expected ',' or '}' at *"},
        {"{'s':'ping','p':{", "bad_json: expected a string or '}' at *"},
        {"{'s':'set','p':{'k':'a','v':01}}", "bad_json: *"},
        {"{'s':'set','p':{'k':'a','v':'\\ud800'}}", "bad_json: *"},
        {"{'s':'set','p':{'k':'a','v':'\xed\xb0\x80'}}", "bad_json: *"},
        {"{'s':'get','p':{'k':'\xe9'}}", "bad_json: *"},
        {"{'s\xff':1}", "bad_json: *"},
        {"{'s':'set','p':{'k':'a','v':'x\ty'}}", "bad_json: *"},
        {"[1,", "bad_json: *"},
        {"[1] 2", "bad_json: expected the end of the line at byte 5"},
    };

    ROWS_CHECK_LINES(rows);
}
END_TEST

START_TEST(envelopes_are_strict)
{
    static const struct row rows[] = {
        {"[]", "bad_request: a request is a JSON object"},
        {"5", "bad_request: a request is a JSON object"},
        {"'POST'", "bad_request: a request is a JSON object"},
        {"null", "bad_request: a request is a JSON object"},
        {"{}", "bad_request: member \"s\" is missing"},
        {"{'p':{'k':'a'}}", "bad_request: member \"s\" is missing"},
        {"{'s':1}", "bad_request: member \"s\" is not a string"},
        {"{'s':['get']}", "bad_request: member \"s\" is not a string"},
        {"{'s':'get','s':'reset','p':{'k':'a'}}",
         "bad_request: doubled member \"s\""},
        {"{'s':'size','p':{},'p':{}}", "bad_request: doubled member \"p\""},
        {"{'s':'size','p':1,'p':{'k':1}}", "bad_request: doubled member \"p\""},
        {"{'s':'ping','x':1,'y':2}", "bad_request: unknown member \"x\""},
        {"{'s':'ping','S':'ping'}", "bad_request: unknown member \"S\""},
        {"{'s':'ping','':1}", "bad_request: unknown member \"\""},
        {"{'s':'ping','k':{'a':[1]},'i':2}",
         "i=2 bad_request: unknown member \"k\""},
        {"{'s':'set','p':{'k':'a','v':1},'ttl':5}",
         "bad_request: unknown member \"ttl\""},
        {"{'s':'nope'}", "unknown_selector: unknown selector \"nope\""},
        {"{'s':''}", "unknown_selector: unknown selector \"\""},
        {"{'s':'GET','p':{'k':'a'}}", "unknown_selector: *\"GET\""},
        {"{'s':'x\\r\\ny\\n{\\'a\\':1}'}",
         "unknown_selector: *\"x\\x0d\\x0ay\\x0a{\\x22a\\x22:1}\""},
        {"{'s':'size','p':null}", "bad_request: member \"p\" is not an object"},
        {"{'s':'set','p':[]}", "bad_request: member \"p\" is not an object"},
        {"{'s':'get','p':'a\\nb'}",
         "bad_request: member \"p\" is not an object"},
    };

    ROWS_CHECK_LINES(rows);
}
END_TEST

START_TEST(parameters_are_strict)
{
    static const struct row rows[] = {
        {"{'s':'get','p':{'k':'a','v':null,'x':{'s':'reset'}}}",
         "bad_request: unknown parameter \"x\""},
        {"{'s':'size','p':{'x':1}}", "bad_request: unknown parameter \"x\""},
        {"{'s':'set','p':{'k':'a','v':1,'i':1}}",
         "bad_request: unknown parameter \"i\""},
        {"{'s':'set','p':{'k':'a','k':'b','v':1}}",
         "bad_request: doubled parameter \"k\""},
        {"{'s':'get','p':{'k':'a','v':1,'v':2}}",
         "bad_request: doubled parameter \"v\""},
        {"{'s':'get','p':{'k':'a','ttl':1}}",
         "bad_request: \"get\" takes no parameter \"ttl\""},
        {"{'s':'get','p':{'k':'a','if':'present'}}",
         "bad_request: \"get\" takes no parameter \"if\""},
        {"{'s':'has','p':{'k':'a','v':null}}",
         "bad_request: \"has\" takes no parameter \"v\""},
        {"{'s':'ping','p':{'k':'a'}}",
         "bad_request: \"ping\" takes no parameter \"k\""},
        {"{'s':'touch','p':{'k':'a','ttl':1,'keep_ttl':false}}",
         "bad_request: \"touch\" takes no parameter \"keep_ttl\""},
        {"{'s':'get'}", "bad_request: \"get\" needs parameter \"k\""},
        {"{'s':'get','p':{}}", "bad_request: \"get\" needs parameter \"k\""},
        {"{'s':'get','p':{'v':null}}",
         "bad_request: \"get\" needs parameter \"k\""},
        {"{'s':'set','p':{'v':1}}",
         "bad_request: \"set\" needs parameter \"k\""},
        {"{'s':'set','p':{'k':'a'}}",
         "bad_request: \"set\" needs parameter \"v\""},
        {"{'s':'touch','p':{'k':'a'}}",
         "bad_request: \"touch\" needs parameter \"ttl\""},
        {"{'s':'select'}", "bad_request: \"select\" needs parameter \"db\""},
    };

    ROWS_CHECK_LINES(rows);
}
END_TEST

/* Each word between the two parts of a line has the outcome. */
static void
check_words(const char *const *words, size_t count, const char *before,
            const char *after, const char *outcome)
{
    for (size_t i = 0; i < count; i++) {
        char line[256];
        const struct row row = {line, outcome};

        snprintf(line, sizeof(line), "%s%s%s", before, words[i], after);
        rows_check_line(&row);
    }
}

#define CHECK_WORDS(words, before, after, outcome)                             \
    check_words(words, sizeof(words) / sizeof(*(words)), before, after, outcome)

START_TEST(scans_have_a_place_and_a_size)
{
    static const struct row rows[] = {
        {"{'s':'scan'}", "scan count=100"},
        {"{'s':'scan','p':{'count':1,'prefix':'','after':'1'}}",
         "scan prefix= after=1 count=1"},
        {"{'s':'scan','p':{'prefix':'a\\u0000\\n','count':10000,"
         "'after':'9007199254740991'}}",
         "scan prefix=a\\x00\\x0a after=9007199254740991 count=10000"},
        {"{'s':'count','p':{'prefix':'x'}}", "count prefix=x"},
        {"{'s':'count'}", "count"},
        {"{'s':'drop','p':{'prefix':'x'}}", "drop prefix=x"},
        {"{'s':'drop'}", "bad_request: \"drop\" needs parameter \"prefix\""},
        {"{'s':'drop','p':{'prefix':'x','count':1}}", "bad_request: *count*"},
        {"{'s':'count','p':{'after':'1'}}", "bad_request: *\"after\""},
    };
    static const char *const places[] = {
        "''",    "'0'", "'-1'", "'01'", "' 1'", "'1 '",
        "'1e3'", "1",   "null", "[]",   "'a'",  "'9007199254740992'",
    };
    static const char *const counts[] = {"0",    "-1",  "10001", "1.0", "1e2",
                                         "null", "'1'", "[]",    "true"};
    static const char *const prefixes[] = {"0", "null", "['a']", "{}", "true"};

    ROWS_CHECK_LINES(rows);
    CHECK_WORDS(places, "{'s':'scan','p':{'after':", "}}",
                "bad_request: \"after\" is not *");
    CHECK_WORDS(counts, "{'s':'scan','p':{'count':", "}}",
                "bad_request: \"count\" is not an integer 1 to 10000");
    CHECK_WORDS(prefixes, "{'s':'scan','p':{'prefix':", "}}",
                "bad_request: \"prefix\" is not a string");
    CHECK_WORDS(prefixes, "{'s':'drop','p':{'prefix':", "}}",
                "bad_request: \"prefix\" is not a string");
}
END_TEST

START_TEST(leases_have_times_and_tokens)
{
    static const struct row rows[] = {
        {"{'s':'lock','p':{'k':'a','ttl':1.5}}", "lock k=a ttl=1500 wait=0"},
        {"{'s':'lock','p':{'k':'','ttl':1,'wait':0.0001}}",
         "lock k= ttl=1000 wait=1"},
        {"{'s':'lock','p':{'k':'a','ttl':1,'wait':0}}",
         "lock k=a ttl=1000 wait=0"},
        {"{'s':'lock','p':{'k':'a','ttl':1,'wait':-0.00e7}}",
         "lock k=a ttl=1000 wait=0"},
        {"{'s':'lock','p':{'k':'a','ttl':1,'wait':315360000000}}",
         "lock k=a ttl=1000 wait=315360000000000"},
        {"{'s':'lock','p':{'k':'a'}}", "bad_request: *\"ttl\""},
        {"{'s':'lock','p':{'k':['a'],'ttl':1}}", "bad_key: *"},
        {"{'s':'unlock','p':{'k':'a','token':-7}}", "unlock k=a token=-7"},
        {"{'s':'unlock','p':{'token':9223372036854775807,'k':'a'}}",
         "unlock k=a token=9223372036854775807"},
        {"{'s':'unlock','p':{'k':'a'}}", "bad_request: *\"token\""},
        {"{'s':'unlock','p':{'k':'a','token':1,'ttl':1}}",
         "bad_request: *\"ttl\""},
    };
    static const char *const waits[] = {
        "-1", "-0.001", "'1'", "null", "[]", "true", "315360000000.0001",
    };
    static const char *const tokens[] = {
        "1.0", "1e3", "'1'", "null", "[]", "9223372036854775808",
    };

    ROWS_CHECK_LINES(rows);
    CHECK_WORDS(waits, "{'s':'lock','p':{'k':'a','ttl':1,'wait':", "}}",
                "bad_ttl: \"wait\": *");
    CHECK_WORDS(tokens, "{'s':'unlock','p':{'k':'a','token':", "}}",
                "bad_request: \"token\" is not *");
}
END_TEST

START_TEST(wrong_times_are_refused)
{
    static const char *const words[] = {
        "0",
        "-1",
        "0.0",
        "'10'",
        "true",
        "[]",
        "{}",
        "-0",
        "1e300",
        "'session'",
        "'Infinity'",
        "9223372036854775807",
        "0e5",
        "315360000000.0001",
        "10000000000000000",
    };
    static const char *const null[] = {"null"};

    CHECK_WORDS(words, "{'s':'set','p':{'k':'a','v':1,'ttl':", "}}",
                "bad_ttl: \"ttl\": a time is *");
    CHECK_WORDS(words, "{'s':'touch','p':{'k':'a','ttl':", "}}",
                "bad_ttl: \"ttl\": a time is *");
    CHECK_WORDS(words, "{'s':'get','p':{'k':'a','touch':", "}}",
                "bad_ttl: \"touch\": a time is *");
    CHECK_WORDS(null, "{'s':'set','p':{'k':'a','v':1,'ttl':", "}}",
                "bad_ttl: *");
    CHECK_WORDS(null, "{'s':'get','p':{'k':'a','touch':", "}}", "bad_ttl: *");
}
END_TEST

START_TEST(wrong_values_are_refused)
{
    static const char *const conditions[] = {
        "-1",   "0",    "1.5", "'1'",      "-18446744073709551615",
        "null", "true", "1e3", "[]",       "18446744073709551616",
        "''",   "{}",   "-0",  "'ABSENT'",
    };
    static const char *const databases[] = {
        "16",  "-1",   "1.0",  "1e0", "'1'",        "18446744073709551616",
        "1.5", "null", "true", "[]",  "4294967296", "9223372036854775808",
    };
    static const char *const flags[] = {"null", "0", "1", "'true'", "[]", "{}"};
    static const char *const both[] = {"true"};

    CHECK_WORDS(conditions, "{'s':'set','p':{'k':'a','v':1,'if':", "}}",
                "bad_request: \"if\" is not *");
    CHECK_WORDS(conditions, "{'s':'del','p':{'k':'a','if':", "}}",
                "bad_request: \"if\" is not *");
    CHECK_WORDS(databases, "{'s':'select','p':{'db':", "}}",
                "bad_request: \"db\" is not an integer 0 to 15");
    CHECK_WORDS(flags, "{'s':'set','p':{'k':'a','v':1,'keep_ttl':", "}}",
                "bad_request: \"keep_ttl\" is neither true nor false");
    CHECK_WORDS(both, "{'s':'set','p':{'k':'a','v':1,'ttl':1,'keep_ttl':", "}}",
                "bad_request: \"ttl\" and \"keep_ttl\" exclude each other");
}
END_TEST

START_TEST(the_first_fault_is_told)
{
    static const struct row rows[] = {
        {"{'s':'nope','x':1,'p':5,'v':}", "bad_json: *"},
        {"{'x':1,'x':2,'i':[],'p':5}", "bad_request: unknown member \"x\""},
        {"{'p':5,'i':[]}", "bad_request: member \"s\" is missing"},
        {"{'s':'nope','p':5,'i':[]}", "bad_request: member \"i\" *"},
        {"{'s':'nope','p':5}", "unknown_selector: *"},
        {"{'s':'nope','p':{'x':1}}", "unknown_selector: *"},
        {"{'s':'get','p':5}", "bad_request: member \"p\" *"},
        {"{'s':'get','p':{'ttl':1,'x':1,'k':5,'k':6}}",
         "bad_request: unknown parameter \"x\""},
        {"{'s':'get','p':{'k':5,'k':6,'x':1}}",
         "bad_request: doubled parameter \"k\""},
        {"{'s':'get','p':{'ttl':1}}", "bad_request: \"get\" takes no *"},
        {"{'s':'set','p':{'k':5,'ttl':0}}", "bad_request: \"set\" needs *"},
        {"{'s':'set','p':{'if':0,'keep_ttl':5,'ttl':0,'v':1,'k':5}}",
         "bad_key: *"},
        {"{'s':'set','p':{'if':0,'keep_ttl':5,'ttl':0,'v':1,'k':'a'}}",
         "bad_ttl: *"},
        {"{'s':'set','p':{'if':0,'keep_ttl':5,'ttl':1,'v':1,'k':'a'}}",
         "bad_request: \"keep_ttl\" *"},
        {"{'s':'set','p':{'if':0,'ttl':1,'v':1,'k':'a'}}",
         "bad_request: \"if\" *"},
        {"{'s':'get','p':{'touch':0,'k':5}}", "bad_key: *"},
    };

    ROWS_CHECK_LINES(rows);
}
END_TEST

static void
fill(TCase *tc)
{
    tcase_add_test(tc, commands);
    tcase_add_test(tc, members_come_in_any_order_and_with_blanks);
    tcase_add_test(tc, ids_are_echoed_as_sent);
    tcase_add_test(tc, keys_are_decoded_bytes);
    tcase_add_test(tc, many_keys_are_packed);
    tcase_add_test(tc, scans_have_a_place_and_a_size);
    tcase_add_test(tc, leases_have_times_and_tokens);
    tcase_add_test(tc, values_stay_as_sent);
    tcase_add_test(tc, names_may_be_escaped);
    tcase_add_test(tc, malformed_json_is_told_with_its_place);
    tcase_add_test(tc, envelopes_are_strict);
    tcase_add_test(tc, parameters_are_strict);
    tcase_add_test(tc, wrong_times_are_refused);
    tcase_add_test(tc, wrong_values_are_refused);
    tcase_add_test(tc, the_first_fault_is_told);
}

TEST_MAIN("wire_json_request", fill)
