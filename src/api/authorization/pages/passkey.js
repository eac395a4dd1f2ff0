// Passkeys on the pages of the sign-in: asks for a challenge, then the browser, and sends the form with the answer.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer ?? [])))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

async function credential(form) {
  const adds = form.dataset.passkey === 'create';
  const body = new URLSearchParams({ csrf: form.elements.csrf.value });
  if (form.elements.interaction) body.set('interaction', form.elements.interaction.value);
  if (adds) body.set('purpose', 'add');
  const answer = await fetch('/oauth/passkey/challenge', { method: 'POST', body });
  if (!answer.ok) throw new Error(`the challenge is ${answer.status}`);
  const publicKey = await answer.json();
  publicKey.challenge = bytes(publicKey.challenge);
  if (!adds) {
    const { id, response } = await navigator.credentials.get({ publicKey });
    return {
      id,
      client_data: text(response.clientDataJSON),
      auth_data: text(response.authenticatorData),
      signature: text(response.signature),
      user_handle: text(response.userHandle),
    };
  }
  publicKey.user.id = bytes(publicKey.user.id);
  publicKey.excludeCredentials = publicKey.excludeCredentials.map((known) => ({ ...known, id: bytes(known.id) }));
  const { response } = await navigator.credentials.create({ publicKey });
  return { client_data: text(response.clientDataJSON), attestation: text(response.attestationObject) };
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!globalThis.PublicKeyCredential) continue;
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    try {
      for (const [name, value] of Object.entries(await credential(form))) form.elements[name].value = value;
      form.submit();
    } catch {
      form.querySelector('[role=alert]')?.remove();
      const alert = document.createElement('p');
      alert.className = 'alert';
      alert.role = 'alert';
      alert.textContent = form.dataset.failure;
      form.prepend(alert);
      button.disabled = false;
    }
  });
}
