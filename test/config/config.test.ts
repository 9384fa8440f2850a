import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseEnv } from 'node:util';
import { readProfile } from '../../brand/profile/profile.ts';
import { readConfig, refuseExposed, servesAnyHost } from '../../server/config/config.ts';
import { envFile, unknownSettings, VARIABLES } from '../../server/config/settings.ts';
import { refuseWithoutMail } from '../../server/outbox/open-submissions.ts';
import { folderWith } from '../support/folder.ts';
import { bytesOf, PROFILE } from '../trust/signed-profile.ts';

type Environment = Record<string, string>;

/** The lines of the refusal, without its heading. */
function faultsOf(environment: Environment): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    assert.ok(error instanceof Error);
    const [heading, ...faults] = error.message.split('\n');
    assert.equal(heading, 'The configuration cannot be used:');
    return faults.map(line => line.trim());
  }
  return [];
}

const MAIL = { MAIL_FROM: 'Acme <hola@mg.acme.example>', MAIL_TO: 'team@acme.example' };

describe('the configuration', () => {
  it('needs no variable: loopback port 8787, the example profile and the limits of the contract', () => {
    const config = readConfig({});
    assert.deepEqual(
      [config.host, config.port, config.baseUrl, config.production],
      ['127.0.0.1', 8787, undefined, false],
    );
    assert.match(config.brandFile, /examples\/brand\.json$/);
    assert.match(config.brandJwks ?? '', /examples\/brand\.jwks\.json$/);
    assert.deepEqual(config.proxies, { ranges: [], hops: 0 });
    assert.deepEqual([config.allowedOrigins, config.startWithoutBrand], [[], false]);
    assert.deepEqual(config.policies, {
      default: { quota: 60, windowSeconds: 60, scope: 'client' },
      submissions: { quota: 10, windowSeconds: 3600, scope: 'client' },
      'submissions-network': { quota: 100, windowSeconds: 3600, scope: 'network' },
      actions: { quota: 5, windowSeconds: 3600, scope: 'client' },
      'actions-service': { quota: 20, windowSeconds: 3600, scope: 'service' },
    });
  });

  it('treats an empty variable like a missing one, and its default like no value', () => {
    const names = VARIABLES.map(({ name }) => name);
    assert.deepEqual(readConfig(Object.fromEntries(names.map(name => [name, '  ']))), readConfig({}));
    const defaults = VARIABLES.map(({ name, fallback }) => [name, fallback]);
    assert.deepEqual(readConfig(Object.fromEntries(defaults)), readConfig({}));
  });

  it('takes lists separated by commas, and addresses without their trailing slash', () => {
    const config = readConfig({
      BASE_URL: 'https://Acme.example/',
      ALLOWED_ORIGINS: ' https://a.example , http://b.example:8080/,',
      TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32',
    });
    assert.equal(config.baseUrl, 'https://acme.example');
    assert.deepEqual(config.allowedOrigins, ['https://a.example', 'http://b.example:8080']);
    assert.deepEqual(config.proxies.ranges, ['10.0.0.0/8', '2001:db8::/32']);
  });
});

describe('a wrong variable', () => {
  const WRONG: [name: string, rule: RegExp, ...values: string[]][] = [
    ['PORT', /0 to 65535/, 'abc', '-1', '65536', '80.5', '1e9', '0x'],
    ['LIMITS', /QUOTA\/SECONDS/, '60/60', 'ask=60/60', 'default=60', 'default=0/60', 'default=99999999/1'],
    ['TRUSTED_HOPS', /0 to 10/, 'one', '11', '-1', '0.5'],
    ['TRUSTED_PROXIES', /CIDR/, '10.0.0.1', '10.0.0.0/33', 'proxy', '10.0.0.0/8,x'],
    ['START_WITHOUT_BRAND', /0 or 1/, 'yes', 'true', '2'],
    ['BASE_URL', /http|without a path/, 'acme', 'ftp://acme.example', 'https://', 'https://acme.example/api'],
    ['BASE_URL', /no wildcards/, 'https://*.acme.example'],
    ['ALLOWED_ORIGINS', /without a path.*or null; no wildcards/, '*', 'https://*.a.example', 'app://*'],
    [
      'ALLOWED_ORIGINS',
      /without a path.*or null/,
      'file://',
      'https://a.example,FILE://',
      'data:',
      'b.example',
    ],
    [
      'ALLOWED_ORIGINS',
      /without a path/,
      'https://me:pw@a.example',
      'https://a.example?x',
      'https://a.example/x',
    ],
  ];

  it('is refused with its name and its rule', () => {
    for (const [name, rule, ...values] of WRONG) {
      for (const value of values) {
        const faults = faultsOf({ [name]: value });
        assert.ok(faults.length > 0, `${name}=${value}`);
        for (const fault of faults) {
          assert.ok(fault.startsWith(name), fault);
          assert.match(fault, rule);
          assert.doesNotMatch(fault, /zod|expected|received|NaN/i);
        }
      }
    }
  });

  it('may be two that exclude or need each other', () => {
    assert.match(
      faultsOf({ TRUSTED_HOPS: '1', TRUSTED_PROXIES: '10.0.0.0/8' }).join(),
      /^TRUSTED_HOPS: .*not both/,
    );
  });
});

describe('a value in a file', () => {
  const file = (content: string) => folderWith({ secret: content })('secret');

  it('is read where NAME_FILE names it, without the line break at its end', () => {
    const env = { ...MAIL, SMTP_URL_FILE: file('smtps://user:pa%23ss@mail.acme.example\n') };
    assert.equal(readConfig(env).mail.provider?.url, 'smtps://user:pa%23ss@mail.acme.example');
  });

  it('is refused where the file cannot be read, and beside the variable itself, with the value in no message', () => {
    assert.deepEqual(faultsOf({ SMTP_URL_FILE: '/no/such/file' }), [
      'SMTP_URL_FILE: /no/such/file cannot be read (ENOENT)',
    ]);
    const both = faultsOf({ SMTP_URL: 'smtp://a:secret@b', SMTP_URL_FILE: file('smtp://a:secret@c') });
    assert.deepEqual(both, ['SMTP_URL: set it or SMTP_URL_FILE, not both']);
  });
});

describe('a value in quotes', () => {
  it('is the value, as Node, systemd and Docker write it into the environment in different ways', () => {
    const key = 'key#with a space';
    for (const value of [key, `"${key}"`, `'${key}'`]) {
      const { provider } = readConfig({ ...MAIL, MAILGUN_API_KEY: value, MAILGUN_DOMAIN: 'mg' }).mail;
      assert.equal(provider?.name === 'mailgun' && provider.key, key);
    }
  });
});

describe('an env file', () => {
  it('sets nothing as it comes, and says how a value with # is written, which Node else cuts', () => {
    assert.deepEqual(parseEnv(envFile()), {});
    assert.match(envFile(), /Write a value with # or spaces in double quotes/);
    const { mail } = readConfig({
      ...MAIL,
      MAILGUN_DOMAIN: 'mg',
      ...parseEnv('MAILGUN_API_KEY="key#1 x"\n'),
    });
    assert.equal(mail.provider?.name === 'mailgun' && mail.provider.key, 'key#1 x');
    assert.deepEqual(parseEnv('MAILGUN_API_KEY=key#1\n'), { MAILGUN_API_KEY: 'key' });
  });

  it('may begin with a byte order mark, as some editors write it: its first line counts', () => {
    const environment = { '\uFEFFBASE_URL': 'https://acme.example', PORT: '9000' };
    assert.equal(readConfig(environment).baseUrl, 'https://acme.example');
    assert.deepEqual(unknownSettings(environment), []);
  });
});

describe('a variable that nobody reads', () => {
  it('is named with the one that was meant, when it looks like one of ours', () => {
    const meant = { BRAND_FLE: 'BRAND_FILE', DATABASE_URI: 'DATABASE_URL', MAIL_FORM: 'MAIL_FROM' };
    assert.deepEqual(
      unknownSettings(meant).map(line => line.replace(/ is no setting .* mean /, ' → ')),
      Object.entries(meant).map(([wrong, right]) => `${wrong} → ${right}?`),
    );
  });

  it('is left alone when it is of others', () => {
    const others = 'HOME PATH USER MAIL LANG NODE_PATH NODE_OPTIONS HOSTNAME REDIS_PORT npm_config_x'.split(
      ' ',
    );
    assert.deepEqual(unknownSettings(Object.fromEntries(others.map(name => [name, 'x']))), []);
    assert.deepEqual(unknownSettings(Object.fromEntries(VARIABLES.map(({ name }) => [name, 'x']))), []);
  });
});

describe('production', () => {
  it('is refused without a way to send mail, unless the profile takes no requests', () => {
    const config = readConfig({ NODE_ENV: 'production' });
    const { profile } = readProfile(bytesOf(PROFILE));
    assert.throws(
      () => refuseWithoutMail(config, profile),
      /MAILGUN_DOMAIN, or SMTP_URL, with MAIL_FROM and MAIL_TO/,
    );
    assert.throws(() => refuseWithoutMail(config, undefined), /SMTP_URL/);
    assert.doesNotThrow(() => refuseWithoutMail(config, { ...profile, actions: {} }));
    const mailing = { NODE_ENV: 'production', SMTP_URL: 'smtps://user:pass@mail.acme.example' };
    assert.doesNotThrow(() => refuseWithoutMail(readConfig({ ...mailing, ...MAIL }), profile));
  });
});

describe('a setting that would do something else than it looks', () => {
  it('is refused: NODE_ENV=prod, the bundled example in production', () => {
    assert.deepEqual(faultsOf({ NODE_ENV: 'prod' }), ['NODE_ENV: must be production, development or test']);
    const production = { NODE_ENV: 'production', SMTP_URL: 'smtps://mail.acme.example', ...MAIL };
    assert.match(
      faultsOf({ ...production, BASE_URL: 'https://acme.example' }).join(),
      /^BRAND_FILE: .*your own/,
    );
    assert.equal(readConfig({ ...production, BASE_URL: 'http://127.0.0.1:8787' }).isExample, true);
  });
});

describe('a server in production', () => {
  const refusal = (environment: Environment) => {
    try {
      refuseExposed(readConfig({ NODE_ENV: 'production', BRAND_FILE: 'brand.json', ...environment }));
    } catch (error) {
      assert.ok(error instanceof Error);
      return error.message;
    }
    return '';
  };

  it('needs its public origin, with https', () => {
    assert.match(refusal({}), /BASE_URL: production needs the public origin, https:/);
    assert.match(refusal({ BASE_URL: 'http://acme.example' }), /BASE_URL: must begin with https:/);
    for (const BASE_URL of ['https://acme.example', 'http://127.0.0.1:8787'])
      assert.equal(refusal({ BASE_URL }), '');
    assert.equal(refusal({ NODE_ENV: 'development' }), '');
  });

  it('trusts no address at all as a proxy, unless ALLOW_INSECURE says so', () => {
    for (const TRUSTED_PROXIES of ['0.0.0.0/0', '10.0.0.0/8, ::/0', '0.0.0.0/1, 128.0.0.0/1']) {
      const open = { BASE_URL: 'http://acme.example', TRUSTED_PROXIES };
      assert.match(refusal(open), /BASE_URL: .*\n.*TRUSTED_PROXIES: trusts addresses of strangers/);
      assert.equal(refusal({ ...open, ALLOW_INSECURE: '1' }), '');
    }
  });

  it('lets no SMTP_URL turn TLS off, unless ALLOW_INSECURE says so', () => {
    const sender = { MAIL_FROM: 'a@acme.example', MAIL_TO: 'b@acme.example' };
    const mail = { BASE_URL: 'https://acme.example', SMTP_URL: 'smtp://u:p@mail.acme.example', ...sender };
    assert.equal(refusal({ ...mail, SMTP_URL: `${mail.SMTP_URL}?name=acme.example` }), '');
    for (const query of ['requireTLS=false', 'name=a&ignoreTLS=true', 'tls.rejectUnauthorized=false']) {
      const open = { ...mail, SMTP_URL: `${mail.SMTP_URL}?${query}` };
      assert.match(refusal(open), /SMTP_URL: changes how TLS is used/);
      assert.equal(refusal({ ...open, ALLOW_INSECURE: '1' }), '');
    }
  });

  it('serves no foreign host name; without BASE_URL on a wildcard address development serves any', () => {
    for (const HOST of ['0.0.0.0', '::']) {
      assert.ok(servesAnyHost(readConfig({ HOST })));
      assert.ok(!servesAnyHost(readConfig({ HOST, BASE_URL: 'https://acme.example' })));
    }
    assert.ok(!servesAnyHost(readConfig({})));
  });
});
