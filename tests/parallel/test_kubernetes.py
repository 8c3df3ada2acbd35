"""docs/cluster/rayjob.yaml: what KubeRay's schema, which it agrees with, cannot know."""

from __future__ import annotations

import re
from pathlib import Path

from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]


def test_the_cluster_has_the_ray_of_the_constraints_and_maps_are_the_workers() -> None:
    job = YAML(typ="safe").load((ROOT / "docs/cluster/rayjob.yaml").read_text(encoding="utf-8"))
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    cluster = job["spec"]["rayClusterSpec"]
    assert re.search(rf"^ray=={re.escape(cluster['rayVersion'])}$", constraints, re.MULTILINE)
    assert cluster["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0"
    (workers,) = cluster["workerGroupSpecs"]
    containers = [
        container
        for group in (cluster["headGroupSpec"], workers)
        for container in group["template"]["spec"]["containers"]
    ]
    assert [c["image"] for c in containers] == ["IMAGE", "IMAGE"]  # the same ecqg on every node
    assert all(c["resources"]["requests"] == c["resources"]["limits"] for c in containers)
    places = {mount["mountPath"] for c in containers for mount in c["volumeMounts"]}
    assert places == {"/data"}  # workers see the head's files where it has them
