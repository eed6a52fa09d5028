"""Keeps the stock of every product in a file and prints which products run low. docs/consume-events.md explains it."""
import io
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import pika

LOW = 5
SAVE_EVERY = 500
# Seconds without a message after which the log is read again.
SILENCE = 30


def empty():
    return {"log": None, "position": 0, "products": {}, "changes": {}}


def read(event):
    """What is needed of an event; a deletion has no product."""
    data, product = event["data"], None
    if not event["type"].endswith(".deleted"):
        product = {"name": data["name"], "stock": data["stock"]}
    return event["logid"], int(event["previous"]), int(event["sequence"]), str(data["id"]), product


class Watcher:
    def __init__(self, file):
        self.file = file
        self.state = empty()

    def load(self):
        self.state = empty()
        if os.path.exists(self.file):
            with open(self.file, encoding="utf-8") as reading:
                self.state = json.load(reading)

    def save(self):
        """State and position are one file, which is replaced as a whole: a crash leaves the old one or the new one."""
        with open(self.file + ".next", "w", encoding="utf-8") as writing:
            json.dump(self.state, writing)
            writing.flush()
            os.fsync(writing.fileno())
        os.replace(self.file + ".next", self.file)

    def apply(self, position, key, product):
        state = self.state
        state["position"] = position
        # The number of changes is kept only to show that each event was applied once.
        state["changes"][key] = state["changes"].get(key, 0) + 1
        if product is None:
            state["products"].pop(key, None)
            return
        state["products"][key] = product
        if product["stock"] < LOW:
            print(f'{product["name"]} ({key}) runs low: {product["stock"]} left after {state["changes"][key]} changes.')

    def catch_up(self):
        """Applies what the log has after the position."""
        try:
            response = self.read_log()
        except urllib.error.HTTPError as problem:
            text = problem.read().decode()
            # The log was restored, and lacks events that were applied. Another 410 may be one of a proxy.
            if problem.code != 410 or '"log.replaced"' not in text:
                raise
            print("The state is made again:", text, file=sys.stderr)
            self.state = empty()
            response = self.read_log()
        with response:
            self.state["log"] = response.headers["Log-Id"]
            # Read by itself, a response that breaks between two chunks would be a complete one.
            for number, line in enumerate(io.BufferedReader(response), 1):
                # Sent while the log has nothing to send for long.
                if not line.strip():
                    continue
                event = json.loads(line)
                if "error" in event:
                    raise OSError(f"The log ended: {event}")
                log, _, position, key, product = read(event)
                if log != self.state["log"]:
                    raise OSError(f"The log is {log} now.")
                self.apply(position, key, product)
                if number % SAVE_EVERY == 0:
                    self.save()
        self.save()

    def read_log(self):
        # Old events that later ones replace may have been removed.
        query = {"resource": "products", "after": self.state["position"], "incomplete": "true"}
        if self.state["log"]:
            query["log"] = self.state["log"]
        address = os.environ["COMMANDS_URL"].rstrip("/") + "/events?" + urllib.parse.urlencode(query)
        key = {"Authorization": "Bearer " + os.environ["EVENTS_KEY"]}
        return urllib.request.urlopen(urllib.request.Request(address, headers=key), timeout=60)

    def take(self, body):
        """
        Every event is in the log before it is in a message: a message that does not continue the position, is of
        another log or cannot be read is not needed.
        """
        try:
            events = [read(event) for event in json.loads(body)]
        except (AttributeError, KeyError, TypeError, ValueError):
            self.catch_up()
            return
        for log, previous, position, key, product in events:
            if log != self.state["log"] or previous > self.state["position"]:
                self.catch_up()
                return
            if position > self.state["position"]:
                self.apply(position, key, product)
        self.save()

    def watch(self):
        # What was applied before a failure and not saved is applied again.
        self.load()
        exchange = os.environ.get("BROKER_EXCHANGE", "apexshop.events")
        queue = os.environ.get("BROKER_QUEUE", "stock-watcher")
        connection = pika.BlockingConnection(pika.URLParameters(os.environ["RABBITMQ_URL"]))
        try:
            channel = connection.channel()
            # The shop declares it: a user that may declare an exchange may also delete it.
            channel.exchange_declare(exchange, passive=True)
            channel.queue_declare(
                queue, durable=True, arguments={"x-queue-type": "quorum", "x-single-active-consumer": True})
            channel.queue_bind(queue, exchange, "products")
            # The queue is bound first: what happens while the log is read is in the queue.
            self.catch_up()
            print(f'At the end of the log, position {self.state["position"]}; taking messages.')
            channel.basic_qos(prefetch_count=50)
            for method, _, body in channel.consume(queue, inactivity_timeout=SILENCE):
                if method is None:
                    # A message may be lost, or the log restored, and no later message shows it.
                    self.catch_up()
                    continue
                self.take(body)
                # Only now: a message that was not acknowledged is delivered again, and is then a repeat.
                channel.basic_ack(method.delivery_tag)
            raise OSError("The queue was deleted.")
        finally:
            if connection.is_open:
                connection.close()

    def run(self):
        while True:
            try:
                self.watch()
            except Exception as failure:
                # Some of pika's failures have no text.
                print(f'{failure!r} Trying again after position {self.state["position"]}.', file=sys.stderr)
            time.sleep(1)


if len(sys.argv) != 2 or not {"COMMANDS_URL", "EVENTS_KEY", "RABBITMQ_URL"} <= os.environ.keys():
    sys.exit("watcher.py <state file>, with COMMANDS_URL, EVENTS_KEY (scope events:read) and RABBITMQ_URL")
# A name that the terminal cannot show must not stop the watcher.
sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
Watcher(sys.argv[1]).run()
