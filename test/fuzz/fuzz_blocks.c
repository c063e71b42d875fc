/* SPDX-License-Identifier: MIT
 *
 * fuzz_blocks.c - any bytes as a file of the data directory: reading and
 * repairing stay inside it, come to an end and agree.
 *
 * No fuzzer guesses a checksum. So every input is read twice: as it is, and
 * with the checksums put right wherever a header, of the file, of a block or of
 * a record, may be meant. It stands in a block of its exact size, so that the
 * address sanitizer sees a look beyond.
 */
#include "base/hash.h"
#include "base/must.h"
#include "disk/blocks.h"

#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* Of an input without a header of its own. */
static const struct file_header some_header = {
    .kind = FILE_LOG, .seq = 1, .directory = 2, .first_lsn = 3};

static struct file_header
header_of(struct slice bytes)
{
    struct file_header header;
    const char *why = NULL;

    if (format_get_file_header(bytes, &header, &why))
        return header;
    must(why != NULL);
    return some_header;
}

/* ---- checksums put right ---- */

/* The records from `at` on, as far as they look like some. */
static void
mend_records(char *data, size_t len, size_t at, uint64_t seed)
{
    while (len - at >= FORMAT_RECORD_HEADER &&
           format_peek_is_possible(data + at)) {
        char *key = data + at + FORMAT_RECORD_HEADER;
        size_t key_len = format_peek_key_len(data + at);
        size_t value_len = format_peek_value_len(data + at);
        size_t size = format_record_size(key_len, value_len);

        if (size > len - at)
            return;
        format_seal_record(data + at, slice_of(key, key_len),
                           slice_of(key + key_len, value_len), 0, seed);
        at += size;
    }
}

static void
mend(char *data, size_t len, uint64_t seed)
{
    struct block_header header = {.first_lsn = 1};
    char sample[FORMAT_BLOCK_HEADER];

    format_put_block_header(sample, seed, &header);
    for (size_t at = FORMAT_ALIGN; at + FORMAT_BLOCK_HEADER <= len;
         at += FORMAT_ALIGN) {
        uint64_t sum;

        if (memcmp(data + at, sample, 4) != 0)
            continue;
        sum = htole64(hash_bytes(slice_of(data + at, 56), seed));
        memcpy(data + at + 56, &sum, sizeof sum);
        mend_records(data, len, at + FORMAT_BLOCK_HEADER, seed);
    }
}

/* ---- what must hold ---- */

static void
check_record(const struct blocks *b, const struct record *r, size_t behind)
{
    const char *begin = b->bytes.data;

    must(r->key.data >= begin + behind + FORMAT_RECORD_HEADER);
    must(r->value.data == r->key.data + r->key.len);
    must(r->value.data + r->value.len == begin + b->at);
    must(b->at <= b->bytes.len);
    must(r->kind >= RECORD_SET && r->kind <= RECORD_DELETE);
    must(r->kind == RECORD_SET || r->value.len == 0);
    must(r->key.len <= ENTRY_KEY_MAX && r->db < ENTRY_DB_COUNT);
    must(r->value_kind == VALUE_JSON || r->value_kind == VALUE_BYTES);
    must(r->version >= 1 && r->deadline_us >= 0);
}

/* Reads to the end of what is sound. A repair from the beginning begins with
 * the same records: `repair` has them behind it then. */
static void
read_sound(struct blocks *b, struct blocks *repair)
{
    struct record r, same;
    size_t behind = b->at, lost;
    uint64_t lsn = b->next_lsn;

    while (blocks_next(b, &r)) {
        check_record(b, &r, behind);
        must(b->next_lsn == ++lsn);
        must(blocks_next_whole(repair, &same, &lost) && lost == 0);
        must(same.key.data == r.key.data && repair->at == b->at);
        behind = b->at;
    }
    must(b->ended && !blocks_next(b, &r));
    must(b->at >= behind && b->at <= b->bytes.len && b->next_lsn == lsn);
    must(blocks_evidence(b) >= b->durable_lsn);
}

/* Returns how many records a repair finds from here on. */
static size_t
read_whole(struct blocks *b)
{
    size_t behind = b->at, lost, lost_all = 0, count = 0;
    struct record r;
    bool more;

    do {
        more = blocks_next_whole(b, &r, &lost);
        if (more) {
            check_record(b, &r, behind);
            behind = b->at;
            count++;
        }
        lost_all += lost;
    } while (more);
    must(b->at == b->bytes.len && lost_all <= b->bytes.len);
    must(count * FORMAT_RECORD_HEADER <= b->bytes.len);
    must(!blocks_next_whole(b, &r, &lost) && lost == 0);
    return count;
}

static void
check_file(struct slice bytes)
{
    struct file_header header = header_of(bytes);
    struct blocks b, repair;

    blocks_begin(&b, bytes, &header);
    repair = b;
    read_sound(&b, &repair);
    must(read_whole(&b) == read_whole(&repair));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct file_header header;
    char *copy;

    if (len < FORMAT_FILE_HEADER)
        return 0;
    copy = malloc(len);
    must(copy != NULL);
    memcpy(copy, data, len);
    header = header_of(slice_of(copy, len));
    check_file(slice_of(copy, len));
    mend(copy, len, format_seed(&header));
    check_file(slice_of(copy, len));
    free(copy);
    return 0;
}
