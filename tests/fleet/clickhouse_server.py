"""clickhouse_server.py - ClickHouse with its HTTP and native interfaces, until the end of the input.

usage: clickhouse_server.py FOLDER     prints the ports of both

chdb has no server program, but the listeners of one, which clickhouse-local starts. FOLDER is the home
directory: it has .clickhouse-local/config.xml, and takes the database.
"""
import os
import sys

from chdb import _chdb

STATEMENTS = """
    SYSTEM START LISTEN HTTP;
    SYSTEM START LISTEN TCP;
    SELECT getServerPort('http_port'), getServerPort('tcp_port') INTO OUTFILE '/dev/stdout' APPEND FORMAT TSV;
    SELECT count() FROM file('/dev/stdin', 'LineAsString') FORMAT Null"""

if __name__ == '__main__':
    os.environ['HOME'] = sys.argv[1]
    _chdb.query(STATEMENTS, 'TSV', path=os.path.join(sys.argv[1], 'database'))
