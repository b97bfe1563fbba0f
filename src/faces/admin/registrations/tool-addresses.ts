/** What a platform has to be told of the tool, in the order in which their forms ask for it. */
const paths = {
  launch: '/lti/launch',
  login: '/lti/login',
  keys: '/lti/keys',
} as const;

export interface ToolAddress {
  /** Key below `registrations.addresses`. */
  readonly name: keyof typeof paths;
  readonly address: string;
}

export function listToolAddresses(publicUrl: string): ToolAddress[] {
  return Object.entries(paths).map(([name, path]) => ({
    name: name as ToolAddress['name'],
    address: publicUrl + path,
  }));
}

export const launchAddress = (publicUrl: string) => publicUrl + paths.launch;

export const canvasConfigurationAddress = (publicUrl: string) => `${publicUrl}/lti/config/canvas.json`;

export function registrationAddress(publicUrl: string, token: string): string {
  return `${publicUrl}/lti/register?${new URLSearchParams({ token })}`;
}
