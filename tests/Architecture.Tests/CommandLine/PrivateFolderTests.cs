namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>RabbitMQ and Redis write files that every user may read; only their owner may enter the folders.</summary>
public sealed class PrivateFolderTests : IDisposable
{
    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData("rabbitmq", "")]
    [InlineData("rabbitmq", "127.9.9")]
    [InlineData("rabbitmq-3", "127.9.9")]
    [InlineData("redis", "")]
    [InlineData("redis-2", "127.9.9")]
    [InlineData("sentinel-2", "127.9.9")]
    public async Task Only_the_owner_may_enter_the_folder_of_a_server(string name, string network)
    {
        foreach (var settings in (string[])["rabbitmq/rabbitmq", "rabbitmq/cluster", "redis/redis", "redis/cluster"])
            script.Write($"deploy/compose/{settings}.conf", "#\n");
        // As a version before has made it.
        Directory.CreateDirectory(script.At($".local/{name}"));
        var started = await script.CallAsync($$"""
            [[ -z '{{network}}' ]] || echo NETWORK={{network}} >"$STATE/cluster"
            load_settings
            REDIS_BIN=/none RABBITMQ_BIN=/none
            chmod 755 "$STATE/{{name}}"
            launch() { :; }
            await() { :; }
            launch_server {{name}}
            stat -c %a "$STATE/{{name}}"
            """);
        started.ExitCode.ShouldBe(0, started.Error);
        started.Output.ShouldBe("700\n");
    }

    /// <summary>Erlang would make a cookie that can be guessed, and who has it can run programs in RabbitMQ.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("127.9.9")]
    public async Task The_cookie_of_RabbitMQ_is_that_of_the_secrets(string network)
    {
        foreach (var settings in (string[])["rabbitmq", "cluster"])
            script.Write($"deploy/compose/rabbitmq/{settings}.conf", "#\n");
        script.Write(".local/secrets", "RABBITMQ_COOKIE=secret\n");
        // As Erlang has made it.
        script.Write(".local/rabbitmq/.erlang.cookie", "GUESSED");

        var written = await script.CallAsync($$"""
            [[ -z '{{network}}' ]] || echo NETWORK={{network}} >"$STATE/cluster"
            load_settings
            write_rabbitmq_conf rabbitmq
            stat -c %a "$STATE/rabbitmq/.erlang.cookie"
            cat "$STATE/rabbitmq/.erlang.cookie"
            """);

        written.Output.ShouldBe("400\nsecret", written.Error);
    }
}
