FROM apexshop/stand-in
ENV PATH=/usr/lib/rabbitmq/bin:$PATH HOME=/var/lib/rabbitmq
COPY rabbitmq-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
RUN mkdir -p /etc/rabbitmq/conf.d && chown -R rabbitmq:rabbitmq /etc/rabbitmq /var/lib/rabbitmq /var/log/rabbitmq \
    && rm -f /var/lib/rabbitmq/.erlang.cookie
VOLUME /var/lib/rabbitmq
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["rabbitmq-server"]
