using System.Data.Common;
using System.Net.Sockets;

namespace ApexShop.Errors;

/// <summary>How a failure of the database is logged.</summary>
public static class LoggedFailure
{
    // The message of an ended session or an unreachable server is complete; its stack trace shows only the driver.
    extension(Exception failure)
    {
        /// <summary>The message of the first cause.</summary>
        public string Reason => failure.GetBaseException().Message;

        /// <summary>The exception to log; null for an outage.</summary>
        public Exception? Unexpected => failure.GetBaseException() switch
        {
            SocketException or IOException or TimeoutException or OperationCanceledException => null,
            DbException { SqlState: { } state } refused when refused.IsTransient || state.StartsWith("57") => null,
            _ => failure,
        };
    }
}
