import { describe, expect, test } from 'vitest';
import { isOnInternet, listAssistantSetups } from '../../src/domain/assistants.ts';

test.each([
  ['https://skills.example.org', true],
  ['https://skills.example.org:8443', true],
  ['http://skills.example.org', false],
  ['https://localhost:3000', false],
  ['http://localhost:3340', false],
  ['https://skills.lan', false],
  ['https://intranet', false],
  ['https://10.0.0.7', false],
  ['https://[fd00::7]', false],
  ['https://93.184.216.34', true],
])('%s is reached from the Internet: %s', (address, isReached) => {
  expect(isOnInternet(address)).toBe(isReached);
});

describe('Walk U5: how to connect an assistant', () => {
  const setupOf = (publicUrl: string, id: string) => listAssistantSetups(publicUrl).find((setup) => setup.id === id)!;

  test('assistants in the cloud cannot reach a host on this machine, programs on it can', () => {
    const reachable = listAssistantSetups('http://localhost:3340').filter(({ isReachable }) => isReachable);
    expect(reachable.map(({ id }) => id)).toEqual(['vscode', 'cursor', 'copilot']);
    expect(listAssistantSetups('https://skills.example.org').every(({ isReachable }) => isReachable)).toBe(true);
  });

  test('VS Code and Cursor have links that name the address', () => {
    const link = new URL(setupOf('https://skills.example.org', 'cursor').installLink!);
    expect(link.protocol).toBe('cursor:');
    expect(JSON.parse(atob(link.searchParams.get('config')!))).toEqual({ url: 'https://skills.example.org/mcp' });
    const [scheme, server] = setupOf('https://skills.example.org', 'vscode').installLink!.split('?');
    expect(scheme).toBe('vscode:mcp/install');
    expect(JSON.parse(decodeURIComponent(server!))).toEqual({
      name: 'skilldock',
      type: 'http',
      url: 'https://skills.example.org/mcp',
    });
  });
});
