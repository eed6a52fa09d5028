using System.Net.Sockets;
using Npgsql;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>How a failure of the database is logged.</summary>
internal static class Outage
{
    // An ended session or an unreachable server says all in one line, and its stack trace shows only the driver.
    extension(Exception failure)
    {
        public string Reason => failure.GetBaseException().Message;

        /// <summary>The exception to log; null for an outage.</summary>
        public Exception? Unexpected => failure.GetBaseException() switch
        {
            SocketException or IOException or TimeoutException => null,
            PostgresException refused when refused.IsTransient || refused.SqlState.StartsWith("57") => null,
            _ => failure,
        };
    }
}
