"""A clinic's portal on Python's fhirclient: a client with a secret, whose user signs in by the pages as a browser shows them.

Prints what it saw as JSON; tests/edge/clients.test.mjs says what that must be.
Usage: portal.py <FHIR base> <user> <patient>
"""

import json
import sys
from html.parser import HTMLParser

import requests
from fhirclient import client as fhir
from fhirclient.models.condition import Condition
from fhirclient.models.observation import Observation
from fhirclient.models.patient import Patient
from fhirclient.server import FHIRNotFoundException, FHIRUnauthorizedException


class Forms(HTMLParser):
    """The forms of a page: where each goes, and the fields that a browser would send."""

    def __init__(self, text):
        super().__init__()
        self.all = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        if tag == "form":
            self.all.append({"action": has["action"], "names": set(), "fields": []})
        elif tag in ("input", "button") and "name" in has:
            form = self.all[-1]
            form["names"].add(has["name"])
            chosen = has.get("type") != "checkbox" or "checked" in has
            if tag == "input" and chosen:
                form["fields"].append((has["name"], has.get("value", "")))


def sign_in(address, origin, user, patient):
    """Goes through the pages, and returns the address that leads back to the app."""
    browser = requests.Session()
    as_a_page_would = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
    users = browser.get(origin + "/sandbox.json").json()["users"]
    password = next(one["password"] for one in users if one["username"] == user)
    answers = {"username": user, "password": password, "patient": patient, "decision": "allow"}
    page = browser.get(address, allow_redirects=False)
    for _ in range(5):
        while page.status_code == 303:
            if not page.headers["Location"].startswith("/"):
                return page.headers["Location"]
            page = browser.get(origin + page.headers["Location"], allow_redirects=False)
        page.raise_for_status()
        form = next(form for form in Forms(page.text).all if "words" not in form["names"])
        filled = {name: value for name, value in answers.items() if name in form["names"]}
        kept = [(name, value) for name, value in form["fields"] if name not in filled]
        page = browser.post(origin + form["action"], data=kept + list(filled.items()), headers=as_a_page_would, allow_redirects=False)
    raise SystemExit("it goes round in circles")


def refused(ask, expected):
    """The status of what must not be answered."""
    try:
        ask()
    except expected as error:
        return error.response.status_code
    return None


def main(base, user, patient):
    origin = base.removesuffix("/fhir/r4")
    app = fhir.FHIRClient(settings={
        "app_id": "confidential-app",
        "app_secret": "sandbox-confidential-secret",
        "api_base": base,
        "redirect_uri": f"{origin}/callback.html",
        "scope": "openid fhirUser profile offline_access patient/*.read",
    })
    app.prepare()
    unknown = refused(lambda: Patient.read(patient, app.server), FHIRUnauthorizedException)
    app.handle_callback(sign_in(app.authorize_url, origin, user, patient))
    asked = {"patient": app.patient_id}
    count = lambda model: sum(1 for _ in model.where(asked).perform_resources_iter(app.server))
    seen = {
        "unknown": unknown,
        "patient": app.patient.id,
        "name": app.human_name(app.patient.name[0]),
        "conditions": count(Condition),
        "observations": count(Observation),
        "foreign": refused(lambda: Patient.read("kai-nakamura", app.server), FHIRNotFoundException),
    }
    token = app.server.auth.access_token
    seen["refreshed"] = app.reauthorize() and app.server.auth.access_token != token and count(Condition) == seen["conditions"]
    print(json.dumps(seen))


main(*sys.argv[1:])
