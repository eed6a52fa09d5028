using System.Globalization;
using System.Reflection;
using ApexShop.Caching;
using ApexShop.Queries.Api.Caching;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Planted;
using ApexShop.Simulation.Tests.Scheduling;
using StackExchange.Redis;

namespace ApexShop.Simulation.Tests.Caching;

/// <summary>
/// The model of Redis: keys with a time to live, the scripts of the shop as functions, and the channel of the
/// announcements, whose subscribers miss what is sent while they are disconnected.
/// </summary>
internal sealed class RedisServer(Scheduler scheduler, Bugs? bugs = null)
{
    // The client creates results of several values only by itself.
    private static readonly ConstructorInfo several = typeof(RedisResult).Assembly.GetTypes()
        .Single(type => type.Name == "ArrayRedisResult").GetConstructors().Single();

    private readonly Dictionary<string, (string Value, long Expires)> keys = [];
    private int identities = 1;

    public Server Server { get; } = new("redis", () => new TimeoutException("Redis is unavailable."));

    /// <summary>The way of the Projectors to Redis, which may be cut while other processes reach it.</summary>
    public Server OfProjectors { get; } = new(
        "redis of projectors", () => new TimeoutException("Redis is unavailable."));

    public List<RedisSubscription> Subscriptions { get; } = [];

    /// <summary>Called when tags are raised, before their announcement is sent.</summary>
    public Action<string>? Announcing { get; set; }

    private string Identity => identities.ToString("x40", CultureInfo.InvariantCulture);

    private long Microseconds => (scheduler.Now - DateTime.UnixEpoch.Ticks) / 10;

    /// <summary>It starts empty; with another identity where a replica was promoted.</summary>
    public void LoseData(bool isPromoted)
    {
        scheduler.Trace.Add(scheduler.Now, "redis", "loses its data");
        if (isPromoted) identities++;
        keys.Clear();
    }

    /// <summary>A key is evicted.</summary>
    public void Evict(SeededRandom random)
    {
        if (keys.Count > 0) keys.Remove(keys.Keys.Order(StringComparer.Ordinal).ElementAt(random.Next(keys.Count)));
    }

    public RedisResult Evaluate(string script, RedisKey[] names, RedisValue[] values) => script switch
    {
        TagScript.Raise => Raise(names, values),
        RedisCache.FindScript => Find(names, values),
        RedisCache.StoreScript => Store(names, values),
        RedisCache.ReleaseScript => Release(names[0]!, values[0]!),
        SubscriptionProbe.Script => Probe(names, values),
        SubscriptionProbe.IdentifyScript => Identify(names, values),
        _ => throw ModelProxy.NotModelled(script),
    };

    private RedisResult Raise(RedisKey[] names, RedisValue[] values)
    {
        if (bugs?.RaiseIsLost is true && scheduler.Random.Next(4) == 0) return Nothing();
        var generation = NextGeneration(names[1]!);
        foreach (var name in names.AsSpan(2))
        {
            if (bugs?.RaiseIsNotKept is not true) Set(name!, generation, TimeSpan.FromHours(1));
        }

        if (bugs?.RaiseIsNotAnnounced is true) return Nothing();
        var number = long.Parse(Get(names[0]!) ?? generation, CultureInfo.InvariantCulture) + 1;
        Set(names[0]!, number.ToString(CultureInfo.InvariantCulture));
        Publish($"{number} {generation} {values[1]}");
        return Nothing();
    }

    private RedisResult Find(RedisKey[] names, RedisValue[] values)
    {
        string? made = null;
        var generations = new List<string>();
        foreach (var name in names.AsSpan(3))
        {
            if (Get(name!) is { } known) generations.Add(known);
            else
            {
                Set(name!, made ??= NextGeneration(names[2]!), TimeSpan.FromHours(1));
                generations.Add(made);
            }
        }

        var fence = string.Join(' ', generations) + '\n';
        var entry = Get(names[0]!);
        if (entry is not null && entry.StartsWith(fence, StringComparison.Ordinal))
            return Several(Text(fence), Text(entry));
        var leads = Get(names[1]!) is null;
        if (leads) Set(names[1]!, values[0]!, TimeSpan.FromMilliseconds((long)values[1]));
        var head = Math.Min(entry?.Length ?? 0, fence.Length);
        return Several(Text(fence), Nothing(), Number(leads ? 1 : 0), Number(head));
    }

    private RedisResult Store(RedisKey[] names, RedisValue[] values)
    {
        Set(names[0]!, values[0]!, TimeSpan.FromSeconds((long)values[1]));
        return Release(names[1]!, values[2]!);
    }

    private RedisResult Release(string name, string lease)
    {
        if (Get(name) == lease) keys.Remove(name);
        return Nothing();
    }

    private RedisResult Probe(RedisKey[] names, RedisValue[] values)
    {
        if (Get(names[2]!) != Identity) return Text(Identity);
        Publish($"? {Get(names[0]!) ?? "0"} {Get(names[1]!) ?? "0"} {values[1]}");
        return Nothing();
    }

    private RedisResult Identify(RedisKey[] names, RedisValue[] values)
    {
        Raise(names, values);
        Set(values[2]!, values[3]!);
        return Nothing();
    }

    private string NextGeneration(string last)
    {
        var before = long.Parse(Get(last) ?? "0", CultureInfo.InvariantCulture);
        var next = Math.Max(before + 1, Microseconds).ToString(CultureInfo.InvariantCulture);
        Set(last, next);
        return next;
    }

    private void Publish(string message)
    {
        Announcing?.Invoke(message);
        foreach (var subscription in Subscriptions) subscription.Send(message);
    }

    private string? Get(string name) =>
        keys.TryGetValue(name, out var found) && found.Expires > scheduler.Now ? found.Value : null;

    private void Set(string name, string value, TimeSpan? life = null) =>
        keys[name] = (value, life is { } limited ? scheduler.Now + limited.Ticks : long.MaxValue);

    private static RedisResult Several(params RedisResult[] results) => (RedisResult)several.Invoke([results]);

    private static RedisResult Text(string text) => RedisResult.Create((RedisValue)text);

    private static RedisResult Number(int number) => RedisResult.Create((RedisValue)number);

    private static RedisResult Nothing() => RedisResult.Create(RedisValue.Null);
}
