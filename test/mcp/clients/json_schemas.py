"""Compiles every published JSON Schema with the package jsonschema, and holds the served profile against its own."""

import json
import sys
from urllib.request import urlopen

from jsonschema import Draft7Validator, Draft202012Validator


def fetch(path):
    return json.load(urlopen(sys.argv[1] + path))


schema = fetch("/schemas/brand-profile.v1.json")
Draft7Validator.check_schema(schema)
Draft7Validator(schema).validate(fetch("/.well-known/brand.json"))

description = fetch("/openapi.json")
answer = fetch("/ask?q=precio")
whole = {"$ref": "#/components/schemas/AskResponse", "components": description["components"]}
Draft202012Validator(whole).validate(answer)
