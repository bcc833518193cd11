# One image for all parts of the chart of Zero to JupyterHub: the hub and its culler, the
# proxy, the scheduler, and the container that waits for an image pull.
# acceptance/harness/cluster-test/cluster.sh adds the files. The chart's own constraints pin the Python
# packages.
FROM debian:trixie-slim
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y -q --no-install-recommends ca-certificates iptables nodejs python3-venv \
    && rm -rf /var/lib/apt/lists/* /var/log/* /var/cache/*/*
COPY constraints.txt /tmp/
RUN --mount=type=secret,id=certificates,target=/etc/ssl/certs/ca-certificates.crt \
    python3 -m venv /opt/hub \
    && /opt/hub/bin/pip install --no-cache-dir --disable-pip-version-check --only-binary=:all: -c /tmp/constraints.txt \
        jupyterhub jupyterhub-idle-culler jupyterhub-kubespawner pycurl
COPY node_modules /opt/proxy/node_modules
COPY image-awaiter /
COPY kube-scheduler /usr/local/bin/
RUN ln -s /opt/proxy/node_modules/.bin/configurable-http-proxy /usr/local/bin/ \
    && useradd --uid 1000 --create-home jovyan \
    && install -d -o jovyan -g jovyan /srv/jupyterhub
ENV PATH=/opt/hub/bin:$PATH
WORKDIR /srv/jupyterhub
USER 1000
