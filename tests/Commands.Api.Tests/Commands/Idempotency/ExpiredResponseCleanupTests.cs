using ApexShop.Commands.Api.Commands.Idempotency;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Commands.Idempotency;

public sealed class ExpiredResponseCleanupTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private static readonly IdempotencyOptions quick =
        new() { SweepInterval = TimeSpan.FromMilliseconds(20), SweepChunk = 3 };

    [Fact]
    public async Task An_answer_lives_for_a_day()
    {
        await AddAsync(1);

        (await app.ScalarAsync<bool>("SELECT bool_and(expires_at - created_at = interval '24 hours') FROM "
            + "shop.idempotency_keys")).ShouldBeTrue();
    }

    [Fact]
    public async Task An_expired_key_is_as_good_as_new()
    {
        var key = Guid.NewGuid().ToString();
        var first = await app.PostKeyedAsync(key, "/categories", new { name = "Old" });
        await ExpireAsync();
        var before = await app.CountAsync("idempotency_keys");

        var second = await app.PostKeyedAsync(key, "/categories", new { name = "New" });

        second.Replayed.ShouldBeFalse();
        second.Answer.ShouldBeCreated("categories");
        second.Answer.Id.ShouldNotBe(first.Answer.Id);
        (await app.CountAsync("idempotency_keys")).ShouldBe(before);
        (await app.PostKeyedAsync(key, "/categories", new { name = "New" })).ShouldRepeat(second);
    }

    [Fact]
    public async Task Expired_answers_are_deleted_in_chunks_and_live_ones_are_not()
    {
        app.Services.GetServices<IHostedService>().OfType<ExpiredResponseCleanup>().ShouldHaveSingleItem();
        await app.ScalarAsync<object>("""
            CREATE TABLE IF NOT EXISTS public.sweeps (deleted bigint);
            CREATE OR REPLACE FUNCTION public.count_deleted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
                $$ BEGIN INSERT INTO public.sweeps SELECT count(*) FROM gone HAVING count(*) > 0; RETURN NULL; END $$;
            CREATE TRIGGER count_deleted AFTER DELETE ON shop.idempotency_keys
                REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.count_deleted();
            """);
        try
        {
            await AddAsync(10);
            await ExpireAsync();
            var kept = await app.PostKeyedAsync("kept", "/categories", new { name = "x" });
            using var sweeper = new ExpiredResponseCleanup(
                app.Services.GetRequiredService<NpgsqlDataSource>(), TimeProvider.System, Options.Create(quick),
                new Warnings());

            await sweeper.StartAsync(CancellationToken.None);
            await Eventually.Holds(async () =>
                await app.CountAsync("idempotency_keys WHERE expires_at <= now()") == 0, "expired answers are deleted");
            await sweeper.StopAsync(CancellationToken.None);

            (await app.ScalarAsync<bool>("SELECT max(deleted) = 3 AND sum(deleted) >= 10 FROM public.sweeps"))
                .ShouldBeTrue();
            (await app.PostKeyedAsync("kept", "/categories", new { name = "x" })).ShouldRepeat(kept);
        }
        finally
        {
            await app.ScalarAsync<object>("DROP TRIGGER count_deleted ON shop.idempotency_keys");
        }
    }

    [Fact]
    public async Task A_failed_run_is_logged_and_the_next_one_runs()
    {
        await AddAsync(1);
        await ExpireAsync();
        await app.ScalarAsync<object>("REVOKE DELETE ON shop.idempotency_keys FROM commands");
        var warnings = new Warnings();
        using var sweeper = new ExpiredResponseCleanup(
            app.Services.GetRequiredService<NpgsqlDataSource>(), TimeProvider.System, Options.Create(quick), warnings);

        try
        {
            await sweeper.StartAsync(CancellationToken.None);
            await Eventually.Holds(() => warnings.Count > 1, "two rounds have failed");
        }
        finally
        {
            await app.ScalarAsync<object>("GRANT DELETE ON shop.idempotency_keys TO commands");
        }

        await Eventually.Holds(async () =>
            await app.CountAsync("idempotency_keys WHERE expires_at <= now()") == 0, "expired answers are deleted");
        var logged = warnings.Count;
        await AddAsync(1);
        await ExpireAsync();
        await Eventually.Holds(async () =>
            await app.CountAsync("idempotency_keys WHERE expires_at <= now()") == 0, "expired answers are deleted");
        await sweeper.StopAsync(CancellationToken.None);

        warnings.Count.ShouldBe(logged);
    }

    [Theory]
    [InlineData("Lifetime", "00:59:59")]
    [InlineData("Lifetime", "31.00:00:00")]
    [InlineData("SweepInterval", "00:00:00")]
    [InlineData("SweepChunk", "0")]
    public void Settings_out_of_range_are_refused(string name, string value)
    {
        var configuration =
            new Microsoft.Extensions.Configuration.ConfigurationManager { [$"Idempotency:{name}"] = value };
        var services = new ServiceCollection();
        services.AddSingleton<Microsoft.Extensions.Configuration.IConfiguration>(configuration);
        services.AddIdempotency();

        Should.Throw<OptionsValidationException>(
            () => services.BuildServiceProvider().GetRequiredService<IOptions<IdempotencyOptions>>().Value)
            .Message.ShouldContain(name);
    }

    private async Task AddAsync(int count)
    {
        for (var i = 0; i < count; i++)
            await app.PostKeyedAsync(Guid.NewGuid().ToString(), "/categories", new { name = "x" });
    }

    private Task<object?> ExpireAsync() => app.ScalarAsync<object>(
        "UPDATE shop.idempotency_keys SET created_at = created_at - interval '24 hours', expires_at = expires_at "
        + "- interval '24 hours'");

    private sealed class Warnings : ILogger<ExpiredResponseCleanup>
    {
        private int count;

        public int Count => Volatile.Read(ref count);

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (logLevel >= LogLevel.Warning) Interlocked.Increment(ref count);
        }
    }
}
