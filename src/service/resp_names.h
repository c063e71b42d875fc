/* SPDX-License-Identifier: MIT
 *
 * resp_names.h - the names that a client gives to itself: HELLO SETNAME, CLIENT
 * SETNAME and CLIENT SETINFO.
 */
#ifndef MEMOIZER_SERVICE_RESP_NAMES_H
#define MEMOIZER_SERVICE_RESP_NAMES_H

#include "service/resp_call.h"

#include <stdbool.h>

/* Whether it can be told in CLIENT LIST: visible ASCII without blanks. */
bool resp_is_name(struct slice name);

/* The connection's name; empty for none. False after an error reply. */
bool resp_set_name(struct resp_call *call, struct slice name);

#endif
