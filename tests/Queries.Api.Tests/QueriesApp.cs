using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using ApexShop.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace ApexShop.Queries.Api.Tests;

/// <summary>Queries.Api on a real socket, with its own settings and keys.</summary>
internal sealed class QueriesApp : WebApplicationFactory<Program>, ILoggerProvider
{
    private readonly Dictionary<string, string> settings = [];

    public QueriesApp(string connectionString)
    {
        settings["ConnectionStrings:Read"] = connectionString;
        settings["ConnectionStrings:Redis"] = Servers.Redis;
        settings["Caching:Prefix"] = CachePrefix;
        // Documents that a test writes without the projector raise no tags; tests of the cache switch it on.
        settings["Caching:DocumentMegabytes"] = "0";
        settings["Caching:ResponseMegabytes"] = "0";
        settings["Reading:CursorKey"] = TestKeys.Cursors;
        settings["Sessions:Key"] = TestKeys.Sessions;
        settings["Consistency:Key"] = TestKeys.Consistency;
        // Tests send more requests than a caller may; the test of the limit sets its own.
        settings["Streaming:Exports"] = "100000";
        // Not UseKestrel(0): it sets the port when the host may already be listening.
        settings["urls"] = "http://127.0.0.1:0";
        UseKestrel();
    }

    /// <summary>The prefix of this app's keys and channel in Redis.</summary>
    public string CachePrefix { get; } = $"{CacheNames.DefaultPrefix}{Guid.NewGuid():N}:";

    public string Environment { get; init; } = "Production";

    /// <summary>A file with more settings, which the test changes while the app runs.</summary>
    public string? File { get; init; }

    /// <summary>Ids of all events that were logged as a warning or worse.</summary>
    public ConcurrentQueue<int> Logged { get; } = new();

    /// <summary>Those about requests, without the state of Redis.</summary>
    public IEnumerable<int> Failures => Logged.Where(id => id / 1000 != 5);

    public QueriesApp With(string key, object value)
    {
        settings[key] = string.Create(CultureInfo.InvariantCulture, $"{value}");
        return this;
    }

    public QueriesApp WithCache() => With("Caching:DocumentMegabytes", 8).With("Caching:ResponseMegabytes", 8);

    public QueriesApp WithKey(int index, string key, params string[] scopes)
    {
        With($"Access:Keys:{index}:Name", key);
        With($"Access:Keys:{index}:Sha256", Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(key))));
        for (var i = 0; i < scopes.Length; i++) With($"Access:Keys:{index}:Scopes:{i}", scopes[i]);
        return this;
    }

    /// <summary>
    /// Requests each path until it is read: the first requests open the connections. Their failures do not count.
    /// </summary>
    public async Task OpenAsync(HttpClient http, params string[] paths)
    {
        // A count that was too expensive is refused for a minute.
        var deadline = TimeSpan.FromSeconds(90);
        foreach (var path in paths)
        {
            await Eventually.Holds(
                async () => (await http.GetAsync(path)).IsSuccessStatusCode, $"{path} is read", deadline);
        }

        Logged.Clear();
    }

    /// <summary>
    /// The response to a search that reaches its time limit. A pause of this machine delays the end of its statement,
    /// as an unavailable database does; then the search is sent again.
    /// </summary>
    public async Task<HttpResponseMessage> SearchAsync(HttpClient http, string path)
    {
        var seconds = int.Parse(settings["Reading:SearchSeconds"], CultureInfo.InvariantCulture);
        var latest = TimeSpan.FromSeconds(seconds) + SearchPool.Tolerance;
        int[] earlier = [.. Logged];
        for (var attempt = 1; ; attempt++)
        {
            var time = Stopwatch.StartNew();
            var answer = await http.GetAsync(path);
            var isLate = answer.StatusCode == HttpStatusCode.ServiceUnavailable && time.Elapsed > latest;
            if (!isLate || attempt == 5) return answer;

            answer.Dispose();
            Logged.Clear();
            foreach (var id in earlier) Logged.Enqueue(id);
        }
    }

    // Kestrel warns of a slow machine, too.
    public ILogger CreateLogger(string categoryName) =>
        categoryName.StartsWith("Microsoft.AspNetCore.Server.Kestrel", StringComparison.Ordinal)
            ? NullLogger.Instance
            : new Recorder(Logged);

    protected override void ConfigureWebHost(IWebHostBuilder builder)
    {
        builder.UseEnvironment(Environment);
        foreach (var (key, value) in settings) builder.UseSetting(key, value);
        if (File is not null)
            builder.ConfigureAppConfiguration(more => more.AddJsonFile(File, optional: false, reloadOnChange: true));
        builder.ConfigureServices(services => services.AddSingleton<ILoggerProvider>(this));
    }

    private sealed class Recorder(ConcurrentQueue<int> logged) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel)) logged.Enqueue(eventId.Id);
        }
    }
}
