"""Each object of the Kubernetes example fits its schema and agrees with the other ways to run the site."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest
import yaml
from django.urls import resolve
from jsonschema import Draft202012Validator

from tests.support.subprocesses import BASE

SCHEMAS = json.loads((BASE / "tests" / "schemas" / "kubernetes-1.37.json").read_text())
FILES = {name: (BASE / "deploy" / "kubernetes" / name).read_text() for name in ("courseiva.yaml", "migrate.yaml")}
OBJECTS: list[dict[str, Any]] = [each for text in FILES.values() for each in yaml.safe_load_all(text)]
NAMED = {f"{each['kind']} {each['metadata']['name']}": each for each in OBJECTS}
PODS = {name: each["spec"]["template"]["spec"] for name, each in NAMED.items() if "template" in each.get("spec", {})}
WEB, WORKER, BEAT = (NAMED[f"Deployment courseiva-{part}"] for part in ("web", "worker", "beat"))
OPERATING = (BASE / "docs" / "operating.md").read_text()


def wrong(each: dict[str, Any]) -> list[str]:
    """Return the errors that the schema of the object's kind finds in it."""
    schema = {**SCHEMAS["kinds"][each["kind"]], "$defs": SCHEMAS["$defs"]}
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema).iter_errors(each)]


def test_the_schemas_are_valid_json_schemas() -> None:
    """All schemas are checked as one, so that their shared definitions are checked only once."""
    Draft202012Validator.check_schema({"$defs": {**SCHEMAS["$defs"], **SCHEMAS["kinds"]}})


@pytest.mark.parametrize("name", NAMED)
def test_each_kubernetes_object_fits_its_schema(name: str) -> None:
    assert wrong(NAMED[name]) == []


def test_the_schemas_refuse_what_kubernetes_refuses() -> None:
    for break_it in (
        lambda each: each["spec"].update(replica=2),
        lambda each: each["spec"].pop("selector"),
        lambda each: each.update(apiVersion="apps/v2"),
        lambda each: each["spec"]["template"]["spec"]["containers"][0].update(ports=[{"containerPort": "8000"}]),
        lambda each: each["spec"]["template"]["spec"]["containers"][0]["livenessProbe"].update(periodSecond=1),
    ):
        broken = copy.deepcopy(WEB)
        break_it(broken)
        assert len(wrong(broken)) == 1


def test_the_site_keeps_serving_while_a_node_is_drained() -> None:
    assert set(PODS) == {
        *(f"Deployment courseiva-{part}" for part in ("web", "worker", "beat")),
        "Job courseiva-migrate",
    }
    budget = NAMED["PodDisruptionBudget courseiva-web"]["spec"]
    labels = WEB["spec"]["template"]["metadata"]["labels"]
    assert budget["selector"] == WEB["spec"]["selector"] == {"matchLabels": labels}
    assert NAMED["Service courseiva"]["spec"]["selector"] == labels
    assert budget["maxUnavailable"] < WEB["spec"]["replicas"]
    assert WEB["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert (BEAT["spec"]["replicas"], BEAT["spec"]["strategy"]) == (1, {"type": "Recreate"}), "one in all"


def test_the_probes_exist_and_a_redis_outage_does_not_take_the_site_down() -> None:
    web = PODS["Deployment courseiva-web"]["containers"][0]
    paths = {name: web[name]["httpGet"]["path"] for name in web if name.endswith("Probe")}
    assert paths == {"startupProbe": "/readyz", "readinessProbe": "/healthz", "livenessProbe": "/healthz"}
    assert {resolve(path).view_name for path in paths.values()} == {"healthz", "readyz"}
    for each in (WORKER, BEAT):
        assert "exec" in each["spec"]["template"]["spec"]["containers"][0]["livenessProbe"]


@pytest.mark.parametrize("name", PODS)
def test_each_pod_runs_the_sites_image_without_privileges(name: str) -> None:
    pod = PODS[name]
    (container,) = pod["containers"]
    assert container["image"] == PODS["Deployment courseiva-web"]["containers"][0]["image"]
    assert f"USER {pod['securityContext']['runAsUser']}" in (BASE / "Dockerfile").read_text()
    assert container["securityContext"] == {
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod["enableServiceLinks"] is False, "Kubernetes would set variables of its own beside ours"
    assert [next(iter(each)) for each in container["envFrom"]] == ["configMapRef", "secretRef"]
    assert "limits" in container["resources"]


def test_worker_and_beat_start_as_in_the_containers() -> None:
    services = yaml.safe_load((BASE / "docker-compose.yml").read_text())["services"]
    for part, each in (("worker", WORKER), ("beat", BEAT)):
        command = each["spec"]["template"]["spec"]["containers"][0]["command"]
        assert " ".join(command) == services[part]["command"]


def test_every_variable_is_a_setting_and_no_file_holds_a_secret() -> None:
    table = set(re.findall(r"^\| `([A-Z_]+)` \|", OPERATING, re.MULTILINE))
    assert set(NAMED["ConfigMap courseiva"]["data"]) <= table
    secret = set(re.findall(r"--from-literal=([A-Z_]+)=", OPERATING))
    assert secret <= table
    assert {"SECRET_KEY", "DATABASE_URL", "REDIS_URL"} <= secret
    assert not secret & set(NAMED["ConfigMap courseiva"]["data"])
