/**
 * Passkeys: the server's request goes to the browser, and the passkey's response comes back in the form's hidden field.
 */

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const known = (list = []) => list.map((credential) => ({ ...credential, id: bytes(credential.id) }));

class Unreachable extends Error {}

async function asked(form) {
  const { options, from } = form.dataset;
  if (options) return JSON.parse(document.getElementById(options).textContent);
  const answer = await fetch(from, { headers: { Accept: "application/json" }, cache: "no-store" }).catch(() => null);
  if (!answer?.ok) throw new Unreachable();
  const data = answer.redirected ? {} : await answer.json();
  // Signed in meanwhile, in another tab: the page itself knows where to go.
  return data.request_options ? data : new Promise(() => location.reload());
}

/** Create a passkey. If it is to open the account alone, it has to verify its owner by a PIN, a finger or a face. */
async function create({ publicKey }, alone) {
  const credential = await navigator.credentials.create({
    publicKey: {
      ...publicKey,
      challenge: bytes(publicKey.challenge),
      user: { ...publicKey.user, id: bytes(publicKey.user.id) },
      excludeCredentials: known(publicKey.excludeCredentials),
      authenticatorSelection: {
        residentKey: alone ? "required" : "discouraged",
        requireResidentKey: alone,
        userVerification: alone ? "required" : "preferred",
      },
    },
  });
  const { clientDataJSON, attestationObject } = credential.response;
  const response = { clientDataJSON: text(clientDataJSON), attestationObject: text(attestationObject) };
  return { ...facts(credential), response, clientExtensionResults: { credProps: credential.getClientExtensionResults().credProps } };
}

async function get({ publicKey }) {
  const credential = await navigator.credentials.get({
    publicKey: { ...publicKey, challenge: bytes(publicKey.challenge), allowCredentials: known(publicKey.allowCredentials) },
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  const response = { clientDataJSON: text(clientDataJSON), authenticatorData: text(authenticatorData), signature: text(signature) };
  if (userHandle) response.userHandle = text(userHandle);
  return { ...facts(credential), response };
}

function facts({ rawId, type }) {
  return { id: text(rawId), rawId: text(rawId), type };
}

/** Why it failed, and what to do about it. */
function reason(error, rp, isNew) {
  const host = location.hostname;
  const reasons = {
    NotAllowedError: isNew
      ? "No passkey was created: it was cancelled or timed out. Nothing has changed, so you can try again."
      : "No passkey was used: it was cancelled, it timed out, or this device has none for you. Try again or use another method.",
    InvalidStateError: "This device or key already has a passkey for your account.",
    ConstraintError: "This key can’t sign you in on its own until it has a PIN, fingerprint or face set up. Set one up, or untick “Sign in with this passkey alone” and use it after your password.",
    SecurityError: /^[\d.]+$|:/.test(host)
      ? `Passkeys need a host name, and ${host} is an IP address. On your own machine, open http://localhost:${location.port}/ instead.`
      : `This site’s passkeys work at ${rp}, but this is ${host}.`,
  };
  if (error instanceof Unreachable) return "Can’t reach the server. Try again.";
  return reasons[error.name] ?? "The passkey didn’t work in this browser. Try again or use another method.";
}

class Passkey {
  constructor(form) {
    this.form = form;
    this.button = form.querySelector("[type=submit]");
    this.said = form.querySelector("[data-said]");
    if (!window.PublicKeyCredential) {
      this.say("unsupported", isSecureContext ? "This browser can’t use passkeys." : "Passkeys only work over HTTPS.");
      return;
    }
    const help = form.querySelector("[data-ready]");
    help.textContent = help.dataset.ready;
    this.button.disabled = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#ask();
    });
    addEventListener("pageshow", () => this.#wait(false));
  }

  async #ask() {
    if (this.isBusy) return;
    this.#wait(true);
    const isNew = this.form.dataset.passkey === "create";
    let options;
    try {
      options = await asked(this.form);
      const made = isNew
        ? await create(options.creation_options, this.form.elements.passwordless.checked)
        : await get(options.request_options);
      this.form.elements.credential.value = JSON.stringify(made);
      this.form.submit();
    } catch (error) {
      this.#wait(false);
      const { rp, rpId } = { ...options?.creation_options?.publicKey, ...options?.request_options?.publicKey };
      this.say(error.name, reason(error, rpId ?? rp?.id, isNew));
    }
  }

  #wait(isBusy) {
    this.isBusy = isBusy;
    if (isBusy) this.say("", "");
    this.button.setAttribute("aria-disabled", isBusy);
  }

  say(code, words) {
    this.said.dataset.code = code;
    this.said.textContent = words;
    this.said.hidden = !words;
  }
}

for (const form of document.querySelectorAll("form[data-passkey]")) new Passkey(form);
