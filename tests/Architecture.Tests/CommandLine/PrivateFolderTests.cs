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
}
