using ApexShop.TestKit;
using StackExchange.Redis;

namespace ApexShop.Load.ReadSide;

/// <summary>How many scripts the benchmark's Redis has run: look-ups, and entries that were stored.</summary>
internal static class RedisCalls
{
    public static async Task<long> CountAsync()
    {
        using var redis = await ConnectionMultiplexer.ConnectAsync($"{Servers.Redis},allowAdmin=true");
        var commands = await redis.GetServer(redis.GetEndPoints()[0]).InfoAsync("commandstats");
        return commands.SelectMany(section => section).Where(one => one.Key is "cmdstat_eval" or "cmdstat_evalsha")
            .Sum(one => Calls(one.Value));
    }

    // "calls=3,usec=41,..."
    private static long Calls(string statistics) => long.Parse(
        statistics.AsSpan("calls=".Length, statistics.IndexOf(',', StringComparison.Ordinal) - "calls=".Length),
        System.Globalization.CultureInfo.InvariantCulture);
}
