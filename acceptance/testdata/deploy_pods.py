"""Writes the pods that a JupyterHub starts for the profiles of a values.yaml,
made by the hub's own KubeSpawner, one YAML file a profile.

    deploy_pods.py VALUES.yaml FOLDER
"""

import asyncio
import os
import sys
from types import SimpleNamespace

import yaml

values, folder = sys.argv[1:]

# KubeSpawner wants to know a cluster, which it never asks here.
cluster = os.path.join(folder, "cluster")
with open(cluster, "w") as file:
    yaml.safe_dump({
        "current-context": "none",
        "contexts": [{"name": "none", "context": {"cluster": "none", "user": "none"}}],
        "clusters": [{"name": "none", "cluster": {"server": "http://127.0.0.1:9"}}],
        "users": [{"name": "none", "user": {}}],
    }, file)
os.environ["KUBECONFIG"] = cluster

from jupyterhub.objects import Hub
from kubernetes_asyncio.client import ApiClient
from kubespawner import KubeSpawner
from traitlets.config import Config

with open(values) as file:
    singleuser = yaml.safe_load(file)["singleuser"]
ada = SimpleNamespace(name="ada", escaped_name="ada", id=1, url="/user/ada/", server=None, settings={})
# As the chart hands its values on.
settings = {
    "image": f"{singleuser['image']['name']}:{singleuser['image']['tag']}",
    "cmd": [singleuser["cmd"]],
    "default_url": singleuser["defaultUrl"],
    "uid": singleuser["uid"],
    "fs_gid": singleuser["fsGid"],
    "start_timeout": singleuser["startTimeout"],
    "cpu_guarantee": singleuser["cpu"]["guarantee"],
    "cpu_limit": singleuser["cpu"]["limit"],
    "mem_guarantee": singleuser["memory"]["guarantee"],
    "mem_limit": singleuser["memory"]["limit"],
    "allow_privilege_escalation": singleuser["allowPrivilegeEscalation"],
    "profile_list": singleuser["profileList"],
}


async def write_pods():
    async with ApiClient() as api:
        for profile in singleuser["profileList"]:
            unknown = [name for name in profile.get("kubespawner_override", {}) if not KubeSpawner.class_traits().get(name)]
            if unknown:
                sys.exit(f"KubeSpawner has no {', '.join(unknown)}")
            spawner = KubeSpawner(_mock=True, hub=Hub(), user=ada, config=Config(KubeSpawner=settings))
            spawner.user_options = {"profile": profile["slug"]}
            await spawner.load_user_options()
            pod = api.sanitize_for_serialization(await spawner.get_pod_manifest())
            with open(os.path.join(folder, profile["slug"] + ".yaml"), "w") as file:
                yaml.safe_dump(pod, file)


asyncio.run(write_pods())
