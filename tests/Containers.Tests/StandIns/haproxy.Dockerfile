FROM apexshop/stand-in
RUN mkdir -p /usr/local/etc/haproxy
COPY haproxy-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
USER haproxy
STOPSIGNAL SIGUSR1
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["haproxy", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
