using System.Net.Sockets;
using ApexShop.Migrating;
using Npgsql;

namespace ApexShop.Shared.Tests.Migrating;

public sealed class ConnectionRetryTests
{
    public static TheoryData<Exception> Ends { get; } = new()
    {
        new SocketException((int)SocketError.HostNotFound), new TimeoutException(), new NpgsqlException(),
        new PostgresException("starts", "FATAL", "FATAL", PostgresErrorCodes.CannotConnectNow),
    };

    [Theory]
    [MemberData(nameof(Ends))]
    public async Task A_server_that_is_not_there_yet_is_tried_again(Exception failure)
    {
        var attempts = 0;
        await ConnectionRetry.RunAsync(
            () => ++attempts < 2 ? Task.FromException(failure) : Task.CompletedTask, TimeProvider.System, default);
        attempts.ShouldBe(2);
    }

    [Fact]
    public async Task A_wrong_password_is_not_tried_again()
    {
        var attempts = 0;
        var wrong = new PostgresException("wrong", "FATAL", "FATAL", PostgresErrorCodes.InvalidPassword);
        await Should.ThrowAsync<PostgresException>(() => ConnectionRetry.RunAsync(
            () =>
            {
                attempts++;
                return Task.FromException(wrong);
            },
            TimeProvider.System, default));
        attempts.ShouldBe(1);
    }
}
