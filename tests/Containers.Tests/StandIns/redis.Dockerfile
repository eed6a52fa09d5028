FROM apexshop/stand-in
RUN mkdir -p /data && chown redis:redis /data
VOLUME /data
WORKDIR /data
CMD ["redis-server"]
