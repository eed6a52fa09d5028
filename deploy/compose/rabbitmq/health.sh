#!/bin/bash
# The health check of a RabbitMQ in the cluster. One that was cut off stops its broker until it reaches another node
# again, and may not manage to start it: its program is ended after a minute, and the engine starts it again.
# The port opens as the last step of the broker's start. /dev/shm is empty when a container starts.
if (exec 3<>/dev/tcp/127.0.0.1/5672) 2>/dev/null; then
  touch /dev/shm/open
  exit 0
fi
if [ -e /dev/shm/open ] && [ -z "$(find /dev/shm/open -newermt '-60 seconds')" ]; then
  rm /dev/shm/open
  rabbitmqctl stop >/dev/null 2>&1 &
fi
exit 1
