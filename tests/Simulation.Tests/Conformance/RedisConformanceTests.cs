using System.Collections.Concurrent;
using ApexShop.Caching;
using ApexShop.Queries.Api.Caching;
using ApexShop.Simulation.Tests.Caching;
using ApexShop.Simulation.Tests.Scheduling;
using ApexShop.TestKit;
using StackExchange.Redis;

namespace ApexShop.Simulation.Tests.Conformance;

/// <summary>The scripts of the shop, in the model and in Redis, have the same results and announcements.</summary>
public sealed class RedisConformanceTests
{
    private const int Operations = 400;

    private static readonly string[] tags = ["products", "products:1", "categories:1:products", CacheTags.Everything];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task The_model_of_Redis_replies_as_Redis(int seed)
    {
        var names = new CacheNames($"test_{Guid.NewGuid():N}:");
        using var client = await ConnectionMultiplexer.ConnectAsync(
            $"{Servers.Redis},connectTimeout=30000,responseTimeout=60000");
        var (received, numbers, modelNumbers) = (new ConcurrentQueue<string>(), new Numbering(), new Numbering());
        await client.GetSubscriber().SubscribeAsync(names.Channel, (_, message) => received.Enqueue(message!));
        var sent = new List<string>();
        var run = new ModelRun(seed);
        var model = new RedisServer(run.Scheduler) { Announcing = sent.Add };
        var random = new SeededRandom(seed);
        var fences = new Dictionary<string, (string Real, string Model)>();
        for (var i = 0; i < Operations; i++)
        {
            run.Scheduler.RunUntil(run.Scheduler.Elapsed + TimeSpan.FromMilliseconds(1));
            var (script, keys, values, page) = Next(random, names);
            var (realValues, modelValues) = (values, values);
            if (script == RedisCache.StoreScript)
            {
                if (!fences.TryGetValue(page, out var fence)) continue;
                realValues = [fence.Real + values[0], values[1], values[2]];
                modelValues = [fence.Model + values[0], values[1], values[2]];
            }

            var real = await client.GetDatabase().ScriptEvaluateAsync(script, keys, realValues);
            var replied = model.Evaluate(script, keys, modelValues);
            modelNumbers.Of(replied).ShouldBe(numbers.Of(real), $"operation {i} of seed {seed}: {script}");
            if (script == RedisCache.FindScript) fences[page] = (Fence(real), Fence(replied));
        }

        await Eventually.Holds(() => received.Count >= sent.Count, "all announcements arrive");
        Announcements(received, numbers).ShouldBe(Announcements(sent, modelNumbers));
        sent.Count.ShouldBeGreaterThan(Operations / 4);
    }

    private static (string Script, RedisKey[] Keys, RedisValue[] Values, string Page) Next(
        SeededRandom random, CacheNames names)
    {
        var page = $"{names.Prefix}answer:{random.Next(3)}";
        var tag = tags[random.Next(tags.Length)];
        RedisKey generation = names.Generation(tag);
        RedisKey lease = $"{page} lease";
        RedisValue holder = $"process {random.Next(2)}";
        return random.Next(10) switch
        {
            < 4 => (TagScript.Raise,
                [names.Announcements, names.LastGeneration, generation], [names.Channel, tag], page),
            < 6 => (RedisCache.FindScript,
                [page, lease, names.LastGeneration, .. tags.Select(one => (RedisKey)names.Generation(one))],
                [holder, 3_600_000], page),
            < 8 => (RedisCache.StoreScript, [page, lease], [$"body {random.Next(100)}", 3_600, holder], page),
            8 => (RedisCache.ReleaseScript, [lease], [holder], page),
            _ => (SubscriptionProbe.Script,
                [names.Announcements, names.LastGeneration, $"{names.Prefix}absent"], [names.Channel, "p:1"], page),
        };
    }

    // Their own numbers begin at a time, as generations do, so that one of each may be equal.
    private static List<string> Announcements(IEnumerable<string> messages, Numbering generations)
    {
        var own = new Numbering();
        return [.. messages.Select(message => message.Split(' ', 2))
            .Select(parts => $"{own.Of(parts[0])} {generations.Of(parts[1])}")];
    }

    private static string Fence(RedisResult found) => (string)((RedisResult[])found!)[0]!;

    /// <summary>
    /// Generations and identities are other ones in each server: they are compared by the order in which they appear.
    /// </summary>
    private sealed class Numbering
    {
        private const int ShortestGeneration = 15;

        private readonly Dictionary<string, int> seen = [];

        public string Of(RedisResult result)
        {
            if (result.IsNull) return "nothing";
            try
            {
                return string.Join(" | ", ((RedisResult[])result!).Select(Of));
            }
            catch (InvalidCastException)
            {
                return Of((string)result!);
            }
        }

        public string Of(string text) => string.Join(
            ' ', text.Split(' ').Select(word => string.Join('\n', word.Split('\n').Select(Part))));

        private string Part(string part) =>
            part.Length < ShortestGeneration || part.Contains(':') ? part : Number(part);

        private string Number(string value)
        {
            if (!seen.TryGetValue(value, out var number)) seen[value] = number = seen.Count + 1;
            return $"#{number}";
        }
    }
}
