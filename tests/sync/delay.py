"""delay.py - forward datagrams of an echo client to its server later, or not at all.

usage: delay.py LISTEN_PORT SERVER_PORT THERE_US BACK_US LOST_PERCENT

For kernels without netem. Datagrams with number 0, which end the server, are not lost.
"""
import heapq
import random
import select
import socket
import struct
import sys
import time

CLIENT_AND_NUMBER = struct.Struct('=QI')


def main(listen, server, there_us, back_us, lost_percent):
    choose = random.Random(1)
    front = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    front.bind(('::', listen))
    back = {}  # client: socket to the server
    clients = {}  # socket: address of the client
    waiting = []  # (time to send, serial number, send, datagram)
    serial = 0
    while True:
        wait = max(0, waiting[0][0] - time.monotonic()) if waiting else None
        readable = select.select([front, *clients], [], [], wait)[0]
        for source in readable:
            datagram, address = source.recvfrom(64)
            now = time.monotonic()
            client, number = CLIENT_AND_NUMBER.unpack_from(datagram)
            if source is front and client not in back:
                back[client] = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                back[client].connect(('::1', server))
                clients[back[client]] = address
            if number != 0 and choose.randrange(100) < lost_percent:
                continue
            serial += 1
            if source is front:
                heapq.heappush(waiting, (now + there_us * 1e-6, serial, back[client].send, (datagram,)))
            else:
                heapq.heappush(waiting, (now + back_us * 1e-6, serial, front.sendto, (datagram, clients[source])))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, send, words = heapq.heappop(waiting)
            send(*words)


main(*map(int, sys.argv[1:]))
