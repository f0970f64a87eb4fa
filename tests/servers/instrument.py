"""instrument.py - insert calls of tracing functions into the source of a server.

A rule identifies a line by a function or a word, so that this file contains no foreign source. A
rule without a match is an error.
"""
import os
import re


class Source:
    """One source file of a server."""

    def __init__(self, folder, path, header):
        self.path = os.path.join(folder, path)
        with open(self.path, encoding='utf-8') as file:
            text = file.read()
        # After the server's configuration header, which defines the feature macros of libc.
        self.text, found = re.subn(r'(?m)^(#include ["<](?:memcached|server|ngx_config)\.h[">].*)$',
                                   r'\1\n#include "%s"' % header, text, count=1)
        if not found:
            raise ValueError('%s: no place for the header' % self.path)

    def enter(self, function, call):
        """Adds a call as the first statement of a function."""
        found = re.findall(r'(?m)^(?:[A-Za-z_][\w \t*]*[ \t*])?%s\([^;{)]*\)\s*\{' % re.escape(function), self.text)
        if len(found) != 1:
            raise ValueError('%s: %d definitions of %s()' % (self.path, len(found), function))
        self.text = self.text.replace(found[0], found[0] + '\n\t' + call, 1)
        return self

    def before(self, word, call):
        """Adds a call before the only line that contains `word`."""
        lines = self.text.split('\n')
        at = [i for i, line in enumerate(lines) if word in line]
        if len(at) != 1:
            raise ValueError('%s: %d lines with %s' % (self.path, len(at), word))
        lines.insert(at[0], '\t' + call)
        self.text = '\n'.join(lines)
        return self

    def save(self):
        with open(self.path, 'w', encoding='utf-8') as file:
            file.write(self.text)


def memcached(folder):
    Source(folder, 'memcached.c', 'mc-trace.h') \
        .before('MEMCACHED_CONN_ALLOCATE(c->sfd)', 'trace_mc_conn_open(c->sfd);') \
        .before('MEMCACHED_CONN_RELEASE(c->sfd)', 'trace_mc_conn_close(c->sfd);') \
        .enter('out_string', 'trace_mc_reply(c->sfd, str);') \
        .enter('do_store_item', 'trace_mc_item_store_n(ITEM_key(it), it->nkey, comm);') \
        .save()
    Source(folder, 'proto_text.c', 'mc-trace.h') \
        .enter('process_command_ascii', 'trace_mc_command(c->sfd, command);') \
        .enter('process_delete_command', 'trace_mc_delete(c->sfd);') \
        .enter('process_touch_command', 'trace_mc_touch(c->sfd);') \
        .save()
    Source(folder, 'items.c', 'mc-trace.h') \
        .before('LOGGER_ITEM_GET', 'trace_mc_item_get_n(key, nkey, (enum mc_item_get_found)was_found, it ? it->nbytes : 0);') \
        .enter('do_item_alloc', 'trace_mc_item_alloc_n(key, nkey, (uint32_t)nbytes);') \
        .enter('do_item_link', 'trace_mc_item_link_n(ITEM_key(it), it->nkey, (uint32_t)it->nbytes);') \
        .enter('do_item_unlink', 'trace_mc_item_unlink_n(ITEM_key(it), it->nkey);') \
        .save()
    Source(folder, 'thread.c', 'mc-trace.h') \
        .before('event_base_loop(me->base, 0)', 'trace_mc_worker();') \
        .save()


def nginx(folder):
    request = '(const char *) r->%s.data, r->%s.len'
    Source(folder, 'src/os/unix/ngx_process.c', 'ngx-trace.h') \
        .enter('ngx_spawn_process', 'trace_ngx_spawn(name);').save()
    Source(folder, 'src/os/unix/ngx_process_cycle.c', 'ngx-trace.h') \
        .enter('ngx_worker_process_init', 'trace_ngx_worker((int32_t) worker);').save()
    Source(folder, 'src/event/ngx_event.c', 'ngx-trace.h') \
        .enter('ngx_process_events_and_timers', 'trace_ngx_wait();').save()
    Source(folder, 'src/event/ngx_event_accept.c', 'ngx-trace.h') \
        .enter('ngx_event_accept', 'trace_ngx_accept();').save()
    Source(folder, 'src/http/ngx_http_request.c', 'ngx-trace.h') \
        .enter('ngx_http_init_connection', 'trace_ngx_conn_open(c->number);') \
        .enter('ngx_http_close_connection', 'trace_ngx_conn_close(c->number);') \
        .enter('ngx_http_create_request', 'trace_ngx_request_new(c->number);') \
        .enter('ngx_http_process_request', 'trace_ngx_request_n(r->connection->number, %s, %s);'
               % (request % ('uri', 'uri'), request % ('args', 'args'))) \
        .enter('ngx_http_finalize_request', 'trace_ngx_finalize(r->connection->number, rc);') \
        .enter('ngx_http_free_request', 'trace_ngx_request_end_n(r->connection->number, %s);'
               % (request % ('args', 'args'))) \
        .save()
    Source(folder, 'src/http/ngx_http_core_module.c', 'ngx-trace.h') \
        .enter('ngx_http_send_header', 'trace_ngx_header((uint32_t) r->headers_out.status);').save()
    Source(folder, 'src/http/modules/ngx_http_static_module.c', 'ngx-trace.h') \
        .enter('ngx_http_static_handler', 'trace_ngx_static_file_n(%s);' % (request % ('uri', 'uri'))).save()


def redis(folder):
    key = 'key->ptr, sdslen(key->ptr)'
    Source(folder, 'src/networking.c', 'red-trace.h') \
        .enter('createClient', 'trace_red_client_open();') \
        .enter('freeClient', 'trace_red_client_close(c->id);') \
        .enter('readQueryFromClient', 'trace_red_read();') \
        .enter('writeToClient', 'trace_red_write(c->id);') \
        .save()
    Source(folder, 'src/server.c', 'red-trace.h') \
        .enter('processCommand', 'trace_red_command_n(c->id, c->argv[0]->ptr, sdslen(c->argv[0]->ptr), '
               'c->argc > 1 ? c->argv[1]->ptr : "", c->argc > 1 ? sdslen(c->argv[1]->ptr) : 0);') \
        .enter('call', 'trace_red_call(c->id);') \
        .enter('serverCron', 'trace_red_cron();') \
        .save()
    Source(folder, 'src/db.c', 'red-trace.h') \
        .enter('lookupKey', 'trace_red_lookup_n(%s);' % key) \
        .enter('dbAdd', 'trace_red_add_n(%s);' % key) \
        .enter('dbDelete', 'trace_red_delete_n(%s);' % key) \
        .enter('setKey', 'trace_red_set_n(%s, flags);' % key) \
        .save()
    Source(folder, 'src/rdb.c', 'red-trace.h').enter('rdbSaveBackground', 'trace_red_save();').save()
    Source(folder, 'src/bio.c', 'red-trace.h') \
        .enter('bioProcessBackgroundJobs', 'trace_red_job_thread((uint64_t)(unsigned long)arg);').save()
