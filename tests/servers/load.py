"""load.py - clients that number every request and count the responses.

A client sends requests in bursts over one connection and reads the answers of a burst before the
next. So if a connection ends early, the answered requests are known: those of all bursts but the
last.
"""
import socket
import threading

BURST = 50


class Memcached:
    def request(self, number):
        if number % 2:
            return b'get k%d\r\n' % number
        return b'set k%d 0 0 5\r\nhello\r\n' % number

    def answers(self, data):
        return data.count(b'STORED\r\n') + data.count(b'END\r\n')


class Nginx:
    def request(self, number):
        return b'GET /page.html?k%d HTTP/1.1\r\nHost: here\r\n\r\n' % number

    def answers(self, data):
        return data.count(b'</html>')


class Redis:
    def request(self, number):
        key = b'k%d' % number
        return b'*3\r\n$3\r\nSET\r\n$%d\r\n%s\r\n$5\r\nhello\r\n' % (len(key), key)

    def answers(self, data):
        return data.count(b'+OK\r\n')


class Client(threading.Thread):
    """One connection; sends the numbers from `first` on, `count` of them, or until end() is called."""

    def __init__(self, protocol, port, first, count):
        super().__init__()
        self.protocol, self.port, self.next, self.end = protocol, port, first, first + count
        self.first = first
        self.answered = first   # numbers below it have been answered
        self.over = False
        self.failure = None

    def burst(self, connection, numbers):
        connection.sendall(b''.join(self.protocol.request(number) for number in numbers))
        data = b''
        while self.protocol.answers(data) < len(numbers):
            more = connection.recv(1 << 16)
            if not more:
                raise ConnectionError('the server closed the connection')
            data += more
        self.answered = numbers[-1] + 1

    def run(self):
        try:
            with socket.create_connection(('127.0.0.1', self.port), timeout=60) as connection:
                while self.next < self.end and not self.over:
                    numbers = range(self.next, min(self.next + BURST, self.end))
                    self.next = numbers[-1] + 1
                    self.burst(connection, numbers)
        except OSError as error:
            self.failure = error


class Load:
    """Clients that send at the same time."""

    def __init__(self, protocol, port, clients, count, first=0):
        self.clients = [Client(protocol, port, first + i * count, count) for i in range(clients)]
        for client in self.clients:
            client.start()

    def stop(self):
        for client in self.clients:
            client.over = True
        self.wait()

    def wait(self):
        for client in self.clients:
            client.join()

    def answered(self):
        """The numbers of the requests that were answered."""
        return {number for client in self.clients for number in range(client.first, client.answered)}

    def sent(self):
        """The numbers of the requests that may have reached the server."""
        return {number for client in self.clients for number in range(client.first, client.next)}

    def failures(self):
        return [client.failure for client in self.clients if client.failure is not None]
