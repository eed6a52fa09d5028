using System.Globalization;
using System.Net;
using System.Net.Quic;
using System.Net.Security;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Hosting;

/// <summary>
/// The process as it runs in Production, with a certificate for the test. A test host would replace its
/// listeners.
/// </summary>
public sealed class SecureListenersTests(SecureListenersTests.Shop shop) : IClassFixture<SecureListenersTests.Shop>
{
    public sealed class Shop : FewOfEach
    {
        private const string Password = "of-this-test";

        private readonly string folder = Directory.CreateTempSubdirectory("apexshop-tls-").FullName;
        private ServerProcess? process;

        public Uri Plain { get; } = new($"http://shop.test:{Loopback.FreePort()}");

        public Uri Secure { get; } = new($"https://shop.test:{Loopback.FreePort()}");

        public Uri Inner { get; } = new($"http://shop.test:{Loopback.FreePort()}");

        public X509Certificate2 Certificate { get; } = Make();

        public override async Task InitializeAsync()
        {
            await base.InitializeAsync();
            var file = Path.Combine(folder, "shop.pfx");
            await File.WriteAllBytesAsync(
                file, Certificate.ExportPkcs12(Pkcs12ExportPbeParameters.Pbes2Aes256Sha256, Password));
            process = ShopPrograms.Create(ShopPrograms.Queries, "queries over TLS", new Dictionary<string, string>
            {
                ["ASPNETCORE_ENVIRONMENT"] = "Production",
                ["ConnectionStrings__Read"] = Database.Queries,
                ["ConnectionStrings__Redis"] = Servers.Redis,
                ["Reading__CursorKey"] = TestKeys.Cursors,
                ["Consistency__Key"] = TestKeys.Consistency,
                ["Kestrel__Certificates__Default__Path"] = file,
                ["Kestrel__Certificates__Default__Password"] = Password,
                ["Kestrel__Endpoints__Plain__Url"] = At(Plain),
                ["Kestrel__Endpoints__Secure__Url"] = At(Secure),
                ["Kestrel__Endpoints__Inner__Url"] = At(Inner),
                ["Kestrel__Endpoints__Inner__Protocols"] = "Http2",
            });
            process.Start();
            using var http = Client(HttpVersion.Version11);
            await process.ReadyAsync(() => IsReadyAsync(http), TimeSpan.FromSeconds(60));
        }

        public override async Task DisposeAsync()
        {
            process?.Dispose();
            Directory.Delete(folder, recursive: true);
            Certificate.Dispose();
            await base.DisposeAsync();
        }

        /// <summary>Uses exactly this version, follows no redirects, and trusts this certificate only.</summary>
        public HttpClient Client(Version version)
        {
            var handler = new SocketsHttpHandler
            {
                AllowAutoRedirect = false,
                // The name is not resolved; loopback names would get no HSTS header.
                ConnectCallback = static async (context, ct) =>
                {
                    var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
                    await socket.ConnectAsync(IPAddress.Loopback, context.DnsEndPoint.Port, ct);
                    return new NetworkStream(socket, ownsSocket: true);
                },
                SslOptions = new SslClientAuthenticationOptions
                {
                    RemoteCertificateValidationCallback = (_, given, _, errors) =>
                        given?.GetCertHashString() == Certificate.GetCertHashString()
                        && !errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch),
                },
            };
            return new HttpClient(handler)
            {
                DefaultRequestVersion = version,
                DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
            };
        }

        // Listeners open one after the other.
        private async Task<bool> IsReadyAsync(HttpClient http)
        {
            try
            {
                using var first = await http.GetAsync(new Uri(Plain, "health/ready"));
                using var last = await http.GetAsync(new Uri(Secure, "health/ready"));
                return first.IsSuccessStatusCode && last.IsSuccessStatusCode;
            }
            catch (HttpRequestException)
            {
                return false;
            }
        }

        private static string At(Uri address) =>
            string.Create(CultureInfo.InvariantCulture, $"{address.Scheme}://127.0.0.1:{address.Port}");

        private static X509Certificate2 Make()
        {
            using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
            var request = new CertificateRequest("CN=shop.test", key, HashAlgorithmName.SHA256);
            var names = new SubjectAlternativeNameBuilder();
            names.AddDnsName("shop.test");
            request.CertificateExtensions.Add(names.Build());
            var now = TimeProvider.System.GetUtcNow();
            return request.CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
        }
    }

    [Theory]
    [InlineData("1.1")]
    [InlineData("2.0")]
    public async Task Over_TLS_the_client_chooses_the_version_and_gets_an_HSTS_header(string version)
    {
        using var http = shop.Client(Version.Parse(version));
        using var answer = await http.GetAsync(new Uri(shop.Secure, "products/1"));

        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        answer.Version.ShouldBe(Version.Parse(version));
        answer.Headers.GetValues("Strict-Transport-Security").ShouldBe(["max-age=31536000"]);
        answer.Headers.Contains("Server").ShouldBeFalse();
        answer.Headers.Contains("Alt-Svc").ShouldBe(HasQuic());
    }

    [Fact]
    public async Task A_stream_over_HTTP_2_shares_its_connection_with_other_requests()
    {
        using var http = shop.Client(HttpVersion.Version20);
        var answers = await Task.WhenAll(Enumerable.Range(1, 20).Select(async i =>
        {
            using var answer = await http.GetAsync(
                new Uri(shop.Secure, i % 2 == 0 ? "categories/stream" : "categories/v2?pageSize=100"));
            return (answer.Version, answer.StatusCode, (await answer.Content.ReadAsStringAsync()).Length);
        }));

        answers.ShouldAllBe(
            answer => answer.Version == HttpVersion.Version20
                && answer.StatusCode == HttpStatusCode.OK
                && answer.Length > 1000);
    }

    [Fact]
    public async Task HTTP_3_is_used_where_the_platform_supports_it()
    {
        if (!HasQuic())
        {
            using var older = shop.Client(HttpVersion.Version30);
            await Should.ThrowAsync<HttpRequestException>(() => older.GetAsync(new Uri(shop.Secure, "products/1")));
            return;
        }

        using var http = shop.Client(HttpVersion.Version30);
        using var answer = await http.GetAsync(new UriBuilder(shop.Secure) { Host = "127.0.0.1" }.Uri);
        answer.Version.ShouldBe(HttpVersion.Version30);
    }

    [Theory]
    [InlineData("products/1?x=y")]
    [InlineData("orders/stream")]
    [InlineData("nowhere")]
    public async Task A_plain_request_is_redirected_to_HTTPS_except_for_health_probes(string path)
    {
        using var http = shop.Client(HttpVersion.Version11);
        using var answer = await http.GetAsync(new Uri(shop.Plain, path));
        answer.StatusCode.ShouldBe(HttpStatusCode.PermanentRedirect);
        answer.Headers.Location.ShouldBe(new Uri(shop.Secure, path));
        answer.Headers.Contains("Strict-Transport-Security").ShouldBeFalse();

        using var live = await http.GetAsync(new Uri(shop.Plain, "health/live"));
        live.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task An_endpoint_can_be_configured_for_HTTP_2_without_TLS()
    {
        using var http = shop.Client(HttpVersion.Version20);
        using var answer = await http.GetAsync(new Uri(shop.Inner, "health/live"));
        answer.StatusCode.ShouldBe(HttpStatusCode.OK);
        answer.Version.ShouldBe(HttpVersion.Version20);
    }

    [SupportedOSPlatformGuard("linux")]
    private static bool HasQuic() => OperatingSystem.IsLinux() && QuicListener.IsSupported;
}
