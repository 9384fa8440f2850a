# Verifies the signature of a profile with nothing of Aval. A full check also compares host and time, and refuses repeated names.
import base64, json, sys, rfc8785
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256

b64 = lambda text: base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
number = lambda data: int.from_bytes(data, "big")

profile = json.load(open(sys.argv[1], encoding="utf-8"))
keys = {key["kid"]: key for key in json.load(open(sys.argv[2]))["keys"]}
part = profile.pop("signatures")[0]
header = json.loads(b64(part["protected"]))
assert header["alg"] == "ES256", "this script knows one algorithm"
key, signature = keys[header["kid"]], b64(part["signature"])
signed = part["protected"].encode() + b"." + base64.urlsafe_b64encode(rfc8785.dumps(profile)).rstrip(b"=")
public = ec.EllipticCurvePublicNumbers(number(b64(key["x"])), number(b64(key["y"])), ec.SECP256R1()).public_key()
public.verify(utils.encode_dss_signature(number(signature[:32]), number(signature[32:])), signed, ec.ECDSA(SHA256()))
print("verified:", profile["url"], "until", profile["expires_at"])
