# etcd 3.4: Patroni uses version 2 of its interface, which later ones do not have (docs/decisions/0041-cluster.md).
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends curl etcd-server && rm -rf /var/lib/apt/lists/*
USER etcd
ENTRYPOINT ["etcd"]
