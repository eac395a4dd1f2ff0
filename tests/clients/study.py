"""A study on Python's fhirpy: a client that asks by subjects, by what refers to them, with includes, and counts.

Prints what it saw as JSON, and tests/edge/fhir-clients.test.mjs says what that must be.
Usage: study.py <FHIR base> <access token> <patient>
"""

import datetime
import json
import sys

from fhirpy import SyncFHIRClient
from fhirpy.base.exceptions import OperationOutcome, ResourceNotFound


def ids(resources):
    return [f"{one['resourceType']}/{one['id']}" for one in resources]


def whole(search):
    """All that comes in an answer: the library leaves includes out of a list of matches."""
    return sorted(ids(entry["resource"] for entry in search.fetch_raw()["entry"]))


def refused(ask, expected):
    """Whether a question is not answered, and for the reason that is expected."""
    try:
        ask()
    except expected:
        return True
    return False


def main(base, token, patient):
    client = SyncFHIRClient(base, authorization=f"Bearer {token}")
    of = lambda name: client.resources(name)
    subject = client.reference("Patient", patient)
    observations = of("Observation").search(subject=subject)
    requests = of("MedicationRequest").search(patient=subject)
    visits = of("Encounter").search(patient=subject)
    by_birth = of("Patient").search(birthdate__ge=datetime.date(1990, 1, 1), gender__not="male").sort("birthdate")
    print(json.dumps({
        "subject": ids(observations.limit(100).fetch_all()),
        "count": observations.count(),
        "some": observations.search(category="laboratory").count(),
        "first": ids([observations.first()]),
        "missing": ids(observations.search(encounter__missing=False, date__lt="2020").sort("-date").fetch_all()),
        "chained": ids(of("Condition").search(patient=subject, encounter__Encounter__status="finished").fetch_all()),
        "has": ids(visits.has("Condition", "encounter", category="encounter-diagnosis").fetch_all()),
        "include": whole(requests.include("MedicationRequest", "medication")),
        "revinclude": whole(of("Condition").search(patient=subject).revinclude("Provenance", "target")),
        "elements": sorted(of("Patient").search(_id=patient).elements("name").fetch()[0].keys()),
        "patients": ids(by_birth.fetch_all()),
        "read": client.reference("Patient", patient).to_resource().id,
        "got": of("Patient").search(_id=patient).get().id,
        "unknown": refused(lambda: client.get("Patient", "nobody"), ResourceNotFound),
        "nonsense": refused(lambda: of("Patient").search(colour="red").fetch(), OperationOutcome),
        "everything": len(client.reference("Patient", patient).execute("$everything", method="get")["entry"]),
    }))


main(*sys.argv[1:])
