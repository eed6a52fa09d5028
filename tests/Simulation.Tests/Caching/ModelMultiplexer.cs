using System.Runtime.CompilerServices;
using ApexShop.Simulation.Tests.Faults;
using ApexShop.Simulation.Tests.Scheduling;
using StackExchange.Redis;

namespace ApexShop.Simulation.Tests.Caching;

/// <summary>The connection of a process to the model of Redis, behind the interfaces of the client.</summary>
internal sealed class ModelMultiplexer
{
    private readonly SimulatedProcess process;
    private readonly RedisServer redis;
    private readonly Server way;
    private readonly Network network;
    private readonly IConnectionMultiplexer proxy;
    private readonly IDatabase database;
    private readonly ISubscriber subscriber;
    private EventHandler<ConnectionFailedEventArgs>? failed;
    private EventHandler<ConnectionFailedEventArgs>? restored;

    public ModelMultiplexer(SimulatedProcess process, RedisServer redis, Server way, Network network)
    {
        (this.process, this.redis, this.way, this.network) = (process, redis, way, network);
        proxy = ModelProxy.Of<IConnectionMultiplexer>(Call);
        database = ModelProxy.Of<IDatabase>((method, arguments) => method == nameof(IDatabase.ScriptEvaluateAsync)
            ? EvaluateAsync((string)arguments[0]!, (RedisKey[])arguments[1]!, (RedisValue[])arguments[2]!)
            : throw ModelProxy.NotModelled(method));
        subscriber = ModelProxy.Of<ISubscriber>((method, arguments) => method == nameof(ISubscriber.SubscribeAsync)
            ? SubscribeAsync((RedisChannel)arguments[0]!, (Action<RedisChannel, RedisValue>)arguments[1]!)
            : throw ModelProxy.NotModelled(method));
    }

    /// <summary>Messages that arrive are given to this after the process.</summary>
    public Action<string>? Received { get; init; }

    public Task<IConnectionMultiplexer> ConnectAsync(ConfigurationOptions options) => Task.FromResult(proxy);

    private object? Call(string method, object?[] arguments)
    {
        switch (method)
        {
            case nameof(IConnectionMultiplexer.GetDatabase): return database;
            case nameof(IConnectionMultiplexer.GetSubscriber): return subscriber;
            case "get_" + nameof(IConnectionMultiplexer.IsConnected): return !way.IsDown;
            case "add_" + nameof(IConnectionMultiplexer.ConnectionFailed):
                failed += (EventHandler<ConnectionFailedEventArgs>)arguments[0]!;
                return null;
            case "add_" + nameof(IConnectionMultiplexer.ConnectionRestored):
                restored += (EventHandler<ConnectionFailedEventArgs>)arguments[0]!;
                return null;
            default: throw ModelProxy.NotModelled(method);
        }
    }

    private Task<RedisResult> EvaluateAsync(string script, RedisKey[] keys, RedisValue[] values) => network.CallAsync(
        process, way, $"script {script.Length}", () => redis.Evaluate(script, keys, values));

    private Task SubscribeAsync(RedisChannel channel, Action<RedisChannel, RedisValue> handler)
    {
        var subscription = new RedisSubscription(
            process,
            network,
            message =>
            {
                handler(channel, message);
                Received?.Invoke(message);
            },
            () => failed?.Invoke(this, Event()),
            () => restored?.Invoke(this, Event()));
        process.AtEnd(() => redis.Subscriptions.Remove(subscription));
        return network.CallAsync(process, way, "subscribe", () => redis.Subscriptions.Add(subscription));
    }

    // Its constructor is not public.
    private static ConnectionFailedEventArgs Event() =>
        (ConnectionFailedEventArgs)RuntimeHelpers.GetUninitializedObject(typeof(ConnectionFailedEventArgs));
}
