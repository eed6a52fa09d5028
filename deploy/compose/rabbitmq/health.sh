#!/bin/bash
# The health check of a RabbitMQ in the cluster. One that was cut off stops its broker until it reaches another node
# again, and may not manage to start it: after each minute its program is ended, and the engine starts it again. It is
# halted, because a broker that hangs would not let it stop; quorum queues keep what they have confirmed.
# The port opens as the last step of the broker's start. /dev/shm is empty when a container starts.
if (exec 3<>/dev/tcp/127.0.0.1/5672) 2>/dev/null; then
  touch /dev/shm/open
  exit 0
fi
if [ -e /dev/shm/open ] && [ -z "$(find /dev/shm/open -newermt '-60 seconds')" ]; then
  touch /dev/shm/open
  timeout 30 rabbitmqctl eval 'erlang:halt(1).' >/dev/null 2>&1 &
fi
exit 1
