/** What the device-authorization route gave. */
export interface DeviceGrant {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** What one poll was told. */
export interface Poll {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Posts a form to an OAuth route, as a device does. */
export const postOauth = async (
  url: string,
  path: string,
  fields: Readonly<Record<string, string>> | string,
  headers: Record<string, string> = {},
): Promise<Poll> => {
  const response = await fetch(`${url}/oauth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** A device that starts a login. */
export const startDevice = async (url: string, name = 'new laptop'): Promise<DeviceGrant> => {
  const { body } = await postOauth(url, 'device_authorization', { client_id: 'tempera-cli', device_name: name });
  return body as unknown as DeviceGrant;
};

/** One poll of a device. */
export const pollDevice = (url: string, deviceCode: string): Promise<Poll> =>
  postOauth(url, 'token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: deviceCode,
    client_id: 'tempera-cli',
  });
