FROM apexshop/stand-in
ENV PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data
COPY postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
RUN install -d -o postgres -g postgres -m 1777 "$PGDATA" && install -d -o postgres -g postgres -m 3777 /var/run/postgresql
VOLUME /var/lib/postgresql/data
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
