FROM postgres:16
RUN apt-get update && apt-get install -y --no-install-recommends patroni python3-etcd && rm -rf /var/lib/apt/lists/*
USER postgres
ENTRYPOINT ["patroni"]
# The folder postgres is mounted there; Patroni reads its patroni*.yaml.
CMD ["/shop"]
